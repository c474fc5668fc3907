import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Copy, DockerfileParser, type Instruction } from 'dockerfile-ast';
import { type ValidatorSettings, validate } from 'dockerfile-utils';
import { serverSettings, settingTable } from '../../src/server/settings/setting-table.js';

const text = readFileSync('Dockerfile', 'utf8');
const dockerfile = DockerfileParser.parse(text);
const all = dockerfile.getInstructions();
/** What the image is made of, behind the last FROM. */
const image = all.slice(all.map((instruction) => instruction.getInstruction()).lastIndexOf('FROM'));
const of = (name: string, among: readonly Instruction[] = all) =>
  among.filter((instruction) => instruction.getInstruction() === name);
const argumentsOf = (instruction: Instruction | undefined) =>
  (instruction?.getArguments() ?? []).map((argument) => argument.getValue());
const only = (name: string) => {
  const found = of(name, image);
  assert.equal(found.length, 1, `expected one ${name} of the image`);
  return argumentsOf(found[0]);
};
const environment = Object.fromEntries(of('ENV', image).flatMap(argumentsOf).map(splitAtEquals));
/** The words of a command in JSON form. */
const commandOf = (instruction: Instruction | undefined): string[] =>
  JSON.parse(/\[.*\]/s.exec(instruction?.getRawArgumentsContent() ?? '')?.[0] ?? '[]');
/** What is copied from the build's context, not from an earlier stage. */
const copied = of('COPY')
  .filter((instruction) => instruction instanceof Copy && instruction.getFromFlag() === null)
  .flatMap((instruction) => argumentsOf(instruction).slice(0, -1));

function splitAtEquals(pair: string): [string, string] {
  const at = pair.indexOf('=');
  return [pair.slice(0, at), pair.slice(at + 1)];
}

describe('the Dockerfile', () => {
  it("passes Docker's own rules, each as an error", () => {
    const error = 2;
    const settings: ValidatorSettings = {
      deprecatedMaintainer: error,
      directiveCasing: error,
      emptyContinuationLine: error,
      instructionCasing: error,
      instructionCmdMultiple: error,
      instructionEntrypointMultiple: error,
      instructionHealthcheckMultiple: error,
      instructionJSONInSingleQuotes: error,
      instructionWorkdirRelative: error,
    };
    const found = validate(text, settings).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`);
    assert.deepEqual(found, []);
  });

  it('copies what is in the repository, and what .dockerignore lets through', () => {
    assert.ok(copied.length > 0);
    const allowed = readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
    assert.deepEqual([...allowed].sort(), [...new Set(copied)].sort());
    for (const path of copied) assert.ok(isInRepository(path), `expected ${path} in the repository`);
  });

  it('takes a release of Node that the project runs on, the same in all stages', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
    const least = Number(/^>=(\d+)/.exec(engines.node)?.[1]);
    const majors = of('FROM').map((from) => Number(/^node:(\d+)-slim$/.exec(argumentsOf(from)[0] ?? '')?.[1]));
    assert.equal(new Set(majors).size, 1);
    // Of the major that engines names, a release may be too early; even majors are those with long support.
    assert.ok(
      majors.every((major) => major > least && major % 2 === 0),
      `${majors} for ${engines.node}`,
    );
  });

  it('runs as a user without rights, named by number', () => {
    const [user = ''] = only('USER');
    assert.match(user, /^[1-9]\d*:[1-9]\d*$/);
    const place = (name: string) => image.findIndex((instruction) => instruction.getInstruction() === name);
    assert.ok(place('USER') < place('ENTRYPOINT'));
  });

  it('exposes the port that the server listens on, to all addresses', () => {
    assert.deepEqual(only('EXPOSE'), [String(serverSettings.port.fallback)]);
    assert.deepEqual([environment.PORT, environment.HOST], [String(serverSettings.port.fallback), '0.0.0.0']);
  });

  it('keeps the data in its volume', () => {
    assert.deepEqual(only('VOLUME'), [environment.MILLRACE_DATA]);
  });

  it('has no setting that the server does not know', () => {
    const known = Object.values(settingTable).map(({ name }) => name);
    const unknown = Object.keys(environment).filter((name) => name !== 'NODE_ENV' && !known.includes(name));
    assert.deepEqual(unknown, []);
  });

  it('starts the main program itself, so that signals reach it, and ends before Docker kills it', () => {
    assert.deepEqual(commandOf(of('ENTRYPOINT', image)[0]), ['node', 'dist/server/main.js']);
    assert.ok(existsSync('src/server/main.ts'));
    assert.ok(Number(/^(\d+)s$/.exec(environment.MILLRACE_DRAIN_TIMEOUT ?? '')?.[1]) < 10);
  });

  it('hands the words behind its name to the server', () => {
    // Without a CMD there is nothing that they would replace: `docker run millrace --help` is the server's.
    assert.deepEqual(of('CMD', image), []);
    const [, ...args] = commandOf(of('ENTRYPOINT', image)[0]);
    assert.deepEqual(args, ['dist/server/main.js']);
  });

  it('leaves what only builds need out of the image', () => {
    assert.match(of('RUN').map(String).join('\n'), /npm prune --omit=dev/);
    assert.equal(environment.NODE_ENV, 'production');
  });

  describe('its health check', () => {
    const [program, ...args] = commandOf(of('HEALTHCHECK', image)[0]);
    const outcome = async (port: number) => {
      const child = spawn(process.execPath, args, { env: { PORT: String(port) }, stdio: 'ignore' });
      return (await once(child, 'exit'))[0];
    };

    it('is healthy where the server answers, and unhealthy where it answers with an error or not at all', async () => {
      assert.equal(program, 'node');
      const asked: (string | undefined)[] = [];
      let status = 200;
      const server = createServer((req, res) => {
        asked.push(req.url);
        res.writeHead(status).end('{}');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      assert.equal(await outcome(port), 0);
      status = 503;
      assert.equal(await outcome(port), 1);
      await new Promise((resolve) => server.close(resolve));
      assert.equal(await outcome(port), 1);
      assert.deepEqual(asked, ['/health/live', '/health/live']);
    });
  });
});

/** Whether git knows the path; a copy without git shows its files alone. */
function isInRepository(path: string): boolean {
  if (!existsSync('.git')) return existsSync(path);
  return execFileSync('git', ['ls-files', '--', path], { encoding: 'utf8' }) !== '';
}
