/** What a browser shows in the end. */
export interface Shown {
  readonly url: string;
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** The URLs that led there. */
  readonly way: readonly string[];
}

interface Wanted {
  readonly method?: string;
  readonly body?: URLSearchParams;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where it does not go, though it is led there: it shows what led it. */
  readonly stopAt?: (url: string) => boolean;
}

const REDIRECTS_MAX = 20;

/** The form that a page submits by itself, by a script. */
function submitted(html: string): { readonly action: string; readonly body: URLSearchParams } | undefined {
  if (!html.includes('document.forms[0].submit()')) return undefined;
  const [, action = ''] = /action="([^"]+)"/.exec(html) ?? [];
  const fields = html.matchAll(/name="([^"]+)" value="([^"]*)"/g);
  return {
    action,
    body: new URLSearchParams([...fields].map(([, name, value]): [string, string] => [name ?? '', value ?? ''])),
  };
}

/** A browser without a page: it follows redirects and forms that submit themselves, and keeps each server's cookies. */
export class Browser {
  /** By host. */
  readonly cookies = new Map<string, Map<string, string>>();

  async open(url: string, { stopAt, ...wanted }: Wanted = {}): Promise<Shown> {
    const way: string[] = [];
    let [at, next]: [string, Wanted] = [url, wanted];
    while (way.length < REDIRECTS_MAX) {
      const response = await this.fetch(at, next);
      const location = response.headers.get('location');
      const to = location === null ? undefined : new URL(location, at).href;
      const text = await response.text();
      const form = to === undefined ? submitted(text) : undefined;
      if ((to === undefined && form === undefined) || (to !== undefined && stopAt?.(to) === true)) {
        const { status, headers } = response;
        return { url: to ?? at, status, headers, way, text };
      }
      way.push(at);
      [at, next] = [to ?? form?.action ?? at, form === undefined ? {} : { method: 'POST', body: form.body }];
    }
    throw new Error(`expected at most ${REDIRECTS_MAX} redirects, but found ${way.join(', ')}`);
  }

  /** One request with the cookies of its host; those that come with the answer are kept. */
  async fetch(url: string, { method = 'GET', body, headers = {} }: Wanted = {}): Promise<Response> {
    const { host } = new URL(url);
    const cookies = this.cookies.get(host) ?? new Map<string, string>();
    this.cookies.set(host, cookies);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = { ...headers, ...(cookie !== '' && { cookie }) };
    const response = await fetch(url, { method, headers: sent, redirect: 'manual', body: body ?? null });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }
}
