// The page of a server.

import { start } from './page';
import { Socket } from './socket';

start(new Socket());
