import { disk } from './ground/disk.js';
import { kill } from './ground/kill.js';
import { power } from './ground/power.js';
import { shortChaos } from './short-chaos.js';

// Slow: short runs of all that a machine may do to a server.

for (const kind of [kill, power, disk]) shortChaos(kind);
