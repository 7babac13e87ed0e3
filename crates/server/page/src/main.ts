// The page that a server delivers.

import { start } from './page';
import { Socket } from './socket';

start(new Socket());
