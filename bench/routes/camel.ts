import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ExchangesMeasured, ROUTE_CASES, type RouteCase } from './route-cases.js';

/** From the root, in which the bench runs. */
const PROJECT = 'bench/camel';

/** Camel, as Maven brings it: `undefined` where there is no Maven, no Java, or no repository within reach. */
export function camel(
  folder: string,
): ((name: RouteCase, keeps: 'bare' | 'history', ms: number) => ExchangesMeasured) | undefined {
  const classPath = join(folder, 'class-path');
  const goal = ['dependency:build-classpath', `-Dmdep.outputFile=${classPath}`];
  if (spawnSync('mvn', ['-q', '-B', '-f', join(PROJECT, 'pom.xml'), ...goal]).status !== 0) return undefined;
  return (name, keeps, ms) => {
    const { yaml, body } = ROUTE_CASES[name];
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, yaml);
    const program = [
      '-cp',
      readFileSync(classPath, 'utf8'),
      join(PROJECT, 'Exchanges.java'),
      file,
      keeps,
      body,
      String(ms),
    ];
    const { status, stdout, stderr } = spawnSync('java', program, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`Camel on '${name}' ended with ${status}: ${stderr}`);
    return JSON.parse(stdout);
  };
}
