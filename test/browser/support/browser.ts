import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Where Chromium is, if it is installed. */
const executablePath = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find((file) => existsSync(file));

/** A browser of its own, without a past; undefined where there is none. `port`: of this machine, where each host that ends in `.example` is. */
export async function openBrowser(port: number): Promise<Browser | undefined> {
  if (executablePath === undefined) return undefined;
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--host-resolver-rules=MAP *.example 127.0.0.1:${port}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
    ],
  });
}

/** One way to come to a page. */
export interface Visit {
  readonly name: 'first visit' | 'second visit' | 'reload' | 'back';
  go(): Promise<unknown>;
}

/** The ways in which a person comes to a page, in their order: each but the first finds it in the browser's cache. `elsewhere`: another page. */
export function visitsOf(page: Page, url: string, elsewhere: string): readonly Visit[] {
  return [
    { name: 'first visit', go: () => page.goto(url) },
    { name: 'second visit', go: () => page.goto(elsewhere).then(() => page.goto(url)) },
    { name: 'reload', go: () => page.reload() },
    { name: 'back', go: () => page.goto(elsewhere).then(() => page.goBack()) },
  ];
}

/** Signs a user in by the form, as a person does; the password is the user's name unless it is told. */
export async function signIn(page: Page, origin: string, userId: string, password = userId): Promise<void> {
  await page.goto(`${origin}/bin/auth.cgi/saml2/login?RelayState=/health/live`);
  await page.fill('#username', userId);
  await page.fill('#password', password);
  await page.click('button');
  await page.waitForURL(`${origin}/health/live`);
}

/** What servers will answer to the page, as it comes: of a 304 a page itself is told that it is a 200. */
export async function statusesOf(page: Page): Promise<readonly number[]> {
  const statuses: number[] = [];
  const session = await page.context().newCDPSession(page);
  session.on('Network.responseReceivedExtraInfo', ({ statusCode }) => statuses.push(statusCode));
  await session.send('Network.enable');
  return statuses;
}
