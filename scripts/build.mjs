// `npm run build`: the server into dist/.
import { buildDist } from './project.mjs';

buildDist();
