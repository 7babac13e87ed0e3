// The page with the engine inside, for any web server.

import { Local } from './local';
import { start } from './page';

start(new Local());
