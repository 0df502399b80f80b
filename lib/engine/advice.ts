import type { Trouble } from '../target/exchange.ts';
import { isCertificate } from '../target/trouble.ts';

const UP = 'Check that the service is up and that TARGET_BASE_URL is right';

const BY_CODE: Readonly<Record<string, string>> = {
  ENOTFOUND:
    'Check the host in TARGET_BASE_URL; an internal name resolves only where its name server is known, as behind a VPN',
  EAI_AGAIN: 'The name server does not answer. Check the network of this machine, then try again',
  ECONNREFUSED: `${UP}, its port above all: nothing listens there`,
  EHOSTUNREACH: `${UP}, and that this machine is in a network, or a VPN, from which the host is reached`,
  ENETUNREACH: `${UP}, and that this machine is in a network, or a VPN, from which the host is reached`,
  ERR_SSL_WRONG_VERSION_NUMBER:
    'What answers there does not speak TLS: give its TLS port in TARGET_BASE_URL, or write http in place of https',
  CERT_HAS_EXPIRED: 'The certificate has ended: renew it, if the clock of this machine is right',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet: set the clock of this machine, or wait',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate is for another name: give the one that it is for in TARGET_BASE_URL, or have it made for this one',
};

const OTHER_CERTIFICATE =
  'No authority that is known here signed the certificate: make a private one known with NODE_EXTRA_CA_CERTS=FILE';

/** What to do about what keeps a target from answering. */
export function adviceFor({ kind, code = '' }: Pick<Trouble, 'kind' | 'code'>): string {
  const known = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
  if (known !== undefined) return known;
  if (isCertificate(code)) return OTHER_CERTIFICATE;
  switch (kind) {
    case 'throttled':
      return 'It turns everybody away, or this key: try later, with less (--rate, --concurrency), or with another key';
    case 'protocol':
    case 'misread':
      return 'Check that the service is up and that TARGET_BASE_URL has its port and scheme: what answers there is no such service';
    case 'timeout':
      return `${UP}; that no firewall swallows what is sent; and if it is only slow, give it more with --timeout`;
    case 'refused':
    case 'reset':
      return `${UP}, its port and scheme (http or https) too`;
  }
}
