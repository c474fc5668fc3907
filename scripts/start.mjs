// `npm start`: installs and builds when that is needed, then runs the server in this process, so that signals reach it.
import { endWithNpm } from './end-with-npm.mjs';
import { prepareDist } from './project.mjs';
import { takeNoArguments } from './usage.mjs';

takeNoArguments(`npm start runs the server; what is missing is installed and built before.

  npm start                the server, at http://127.0.0.1:8080
  PORT=9000 npm start      on another port
  npm start -- --help      this text

Everything is set by environment variables, and nothing needs to be set. The ones asked for most:

  PORT, HOST               where it listens: 8080, 127.0.0.1
  MILLRACE_DATA            the folder of all that is stored: ./data
  MILLRACE_ADMIN_PASSWORD  the password of admin; else one is made and kept in that folder
  MILLRACE_LOG_LEVEL       trace, debug, info, warn, error, fatal or silent
  REDIS_URL                keeps documents in that Redis server

All others: docs/settings.md and docs/limits.md. Beside it: npm run dev (starts anew when sources change), npm test.
`);
prepareDist(1);
endWithNpm('start');
await import('../dist/server/main.js');
