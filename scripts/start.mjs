// `npm start`: installs and builds when that is needed, then runs the server in this process, so that signals reach it.
import { endWithNpm } from './end-with-npm.mjs';
import { prepareDist } from './project.mjs';
import { takeNoArguments } from './usage.mjs';

takeNoArguments();
prepareDist(1);
endWithNpm('start');
await import('../dist/server/main.js');
