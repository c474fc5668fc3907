import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a certificate and its key, in PEM. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** An authority of a test's own, and what it has certified. */
export interface Certificates {
  /** The authority's certificate: a file. */
  readonly ca: string;
  /** For `localhost` and 127.0.0.1. */
  readonly server: CertificateFiles;
  /** For another name. */
  readonly client: CertificateFiles;
}

/** Whether there is the program that makes them. */
export const hasOpenssl = (): boolean => spawnSync('openssl', ['version']).status === 0;

/** Makes an authority and certificates by openssl, in files of the folder. */
export function certificates(folder: string): Certificates {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    'ca.key',
    '-out',
    'ca.crt',
    '-subj',
    '/CN=test authority',
    '-days',
    '2',
  );
  const certified = (name: string, extension: string): CertificateFiles => {
    writeFileSync(join(folder, `${name}.ext`), extension);
    openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    const by = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2'];
    openssl('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.crt`, '-extfile', `${name}.ext`, ...by);
    return { cert: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
  };
  return {
    ca: join(folder, 'ca.crt'),
    server: certified('server', 'subjectAltName=DNS:localhost,IP:127.0.0.1'),
    client: certified('client', 'subjectAltName=DNS:client'),
  };
}

/** A file's text. */
export const textOf = (file: string): string => readFileSync(file, 'utf8');
