import assert from 'node:assert/strict';
import { HostRules, isPublicAddress } from '../../../src/eip/component/http/host-rules.js';
import { targetOf } from '../../../src/eip/component/http/http-url.js';
import { HttpPeer } from '../support/http-peer.js';
import { Routes } from '../support/routes.js';

const REFUSED = `
127.0.0.1 127.255.255.254 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 0.0.0.0 0.1.2.3 100.64.0.1 100.100.100.200
192.0.0.192 192.0.2.1 198.18.0.1 203.0.113.9 224.0.0.1 240.0.0.1 255.255.255.255
::1 :: fc00::1 fd00:ec2::254 fe80::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1:: 2001::1
2001:db8::1 ff02::1 fec0::1 100::1 5f00::1
`;
const PUBLIC = '8.8.8.8 1.1.1.1 172.32.0.1 172.15.0.1 100.128.0.1 193.0.0.1 2606:4700:4700::1111 2a00:1450:4001::200e';
const words = (text: string) => text.trim().split(/\s+/);

describe('hosts that routes may reach', () => {
  it('are on the internet, where nothing else is said', () => {
    for (const address of words(REFUSED)) assert.equal(isPublicAddress(address), false, address);
    for (const address of words(PUBLIC)) assert.equal(isPublicAddress(address), true, address);
    assert.equal(isPublicAddress('example.com'), false);
  });

  it('are those that are listed: by name, by the end of names, by a port', () => {
    const rules = new HostRules(['api.example.com', '*.Example.org', 'localhost:8080', '[::1]', '*.ports.example:81']);
    for (const [host, port, reach] of [
      ...([
        ['api.example.com', '443', 'any'],
        ['API.example.com.', '80', 'any'],
        ['a.b.example.org', '80', 'any'],
      ] as const),
      ...([
        ['example.org', '80', 'none'],
        ['evilexample.org', '80', 'none'],
        ['xapi.example.com', '80', 'none'],
      ] as const),
      ...([
        ['localhost', '8080', 'any'],
        ['localhost', '80', 'none'],
        ['[::1]', '9', 'any'],
        ['127.0.0.1', '8080', 'none'],
      ] as const),
      ...([
        ['x.ports.example', '81', 'any'],
        ['x.ports.example', '80', 'none'],
      ] as const),
    ] as const)
      assert.equal(rules.reachOf(host, port), reach, `${host}:${port}`);
    assert.equal(new HostRules([]).reachOf('example.com', '80'), 'none');
    assert.equal(new HostRules(['*']).reachOf('example.com', '80'), 'public');
  });

  it('are refused however their addresses are written', () => {
    const rules = new HostRules(['*']);
    for (const host of words(
      '127.0.0.1 127.1 2130706433 0x7f.1 0177.0.0.1 0x7f000001 0 [::1] [::ffff:7f00:1] [::ffff:127.0.0.1] [0:0::1] 169.254.169.254 １２７.0.0.1 [fe80::1] 10.1',
    )) {
      const { hostname, port } = targetOf(`http://${host}/x`, 'http:x');
      assert.throws(() => rules.require(hostname, port), /SecurityException|refused/, host);
    }
  });

  describe('', () => {
    let peer: HttpPeer;
    beforeEach(async () => {
      peer = await new HttpPeer().listen();
    });
    afterEach(() => peer.close());
    const portOf = () => peer.host.split(':')[1] ?? '';
    const failure = async (httpHosts: readonly string[], url: string) => {
      const tested = new Routes({}, { httpHosts });
      const { exception } = await tested.send(url);
      tested.context.close();
      return String(exception);
    };

    it('are checked by the addresses that a name has when a connection is made', async () => {
      for (const host of ['localhost', '127.0.0.1'])
        assert.match(
          await failure(['*'], `http://${host}:${portOf()}/x`),
          /SecurityException: The host localhost:|The host 127/,
        );
      assert.match(await failure([], `http://${peer.host}/x`), /none of the hosts that routes may reach/);
      assert.equal(peer.asked.length, 0);
      assert.equal(await failure(['localhost'], `http://localhost:${portOf()}/x`), 'undefined');
      assert.equal(await failure([`127.0.0.1:${portOf()}`], `http://${peer.host}/x`), 'undefined');
      assert.match(await failure(['127.0.0.1:1'], `http://${peer.host}/x`), /SecurityException/);
    });

    it('are checked behind each redirect, too', async () => {
      peer.on('/away', (response) =>
        response.writeHead(302, { Location: `http://localhost:${portOf()}/secret` }).end(),
      );
      const url = `http://${peer.host}/away?followRedirects=true`;
      assert.match(await failure([peer.host], url), /SecurityException: The host localhost/);
      assert.match(await failure([peer.host, '*'], url), /SecurityException: The host localhost/);
      assert.deepEqual(
        peer.asked.map(({ url: asked }) => asked),
        ['/away', '/away'],
      );
    });
  });
});
