// The page alone, with the engine inside.

import { Local } from './local';
import { start } from './page';

start(new Local());
