/** The meaning of a TLS failure, and what to do about it. */
interface TlsTrouble {
  readonly codes: RegExp;
  /** Whether no trusted CA signed the certificate. */
  readonly isUntrusted?: true;
  readonly detail: string;
  readonly advice: string;
}

export const CLIENT_CERTIFICATE =
  'Set TARGET_CLIENT_CERT and TARGET_CLIENT_KEY to a client certificate that the target accepts';

/**
 * By the error code of Node or OpenSSL; the text before ALERT depends on the version of OpenSSL. The first match
 * counts.
 */
const troubles: readonly TlsTrouble[] = [
  {
    codes: /^CERT_HAS_EXPIRED$/,
    detail: 'the certificate has expired',
    advice: 'Renew the certificate, or correct the clock of this machine',
  },
  {
    codes: /^CERT_NOT_YET_VALID$/,
    detail: 'the certificate is not valid yet',
    advice: 'Wait until it is, or correct the clock of this machine',
  },
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    detail: 'the certificate is for another host',
    advice:
      'Use a name that the certificate has in TARGET_BASE_URL, or set TARGET_SERVER_NAME to it, or issue a certificate for this host',
  },
  {
    codes: /^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/,
    isUntrusted: true,
    detail: 'no trusted CA signed the certificate, or an intermediate certificate is missing',
    advice:
      'Make the target send its intermediate certificates. To trust a private CA, set TARGET_CA=FILE (NODE_EXTRA_CA_CERTS has no effect in .env)',
  },
  {
    codes: /^ERR_SSL_.*_ALERT_CERTIFICATE_REQUIRED$/,
    detail: 'the target demands a client certificate',
    advice: CLIENT_CERTIFICATE,
  },
  {
    codes:
      /^ERR_SSL_(?:SSL|TLS)V\d+_ALERT_(?:(?:BAD|UNSUPPORTED)_CERTIFICATE|CERTIFICATE_|UNKNOWN_CA|ACCESS_DENIED)/,
    detail: 'the target rejected the client certificate',
    advice: `${CLIENT_CERTIFICATE}: it may have expired, or be of another authority`,
  },
  {
    codes: /^ERR_SSL_(?:UNSUPPORTED_PROTOCOL|WRONG_SSL_VERSION|VERSION_TOO_LOW|.*_ALERT_PROTOCOL_VERSION)$/,
    detail: 'the target speaks no version of TLS that is still in use',
    advice: 'Enable TLS 1.2 or 1.3 on the target; older versions are deprecated (RFC 8996)',
  },
  {
    codes: /^ERR_SSL_.*_ALERT_HANDSHAKE_FAILURE$/,
    detail: 'the target rejected the handshake',
    advice:
      'It may demand a client certificate: set TARGET_CLIENT_CERT and TARGET_CLIENT_KEY. Otherwise enable a cipher on it that current clients have',
  },
  {
    codes: /^ERR_SSL_.*NO_APPLICATION_PROTOCOL$/,
    detail: 'the target does not speak HTTP/1.1',
    advice: 'Set --http 2',
  },
  {
    codes: /^ERR_SSL_.*UNRECOGNIZED_NAME$/,
    detail: 'the target does not know this host name',
    advice: 'Check the host in TARGET_BASE_URL, or set TARGET_SERVER_NAME',
  },
  {
    codes: /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/,
    detail: 'the port does not speak TLS',
    advice: 'Use the TLS port in TARGET_BASE_URL, or write http in place of https',
  },
  {
    codes: /CERT|SIGNATURE|ISSUER/,
    isUntrusted: true,
    detail: 'no trusted CA signed the certificate',
    advice:
      'To trust a private CA, set TARGET_CA=FILE (NODE_EXTRA_CA_CERTS has no effect in .env); if it is set, that file lacks the CA that signed this certificate',
  },
  {
    codes: /^(?:EPROTO$|ERR_SSL|ERR_TLS)/,
    detail: 'the handshake failed',
    advice: 'Check that the service is up, and the port and scheme in TARGET_BASE_URL',
  },
];

/** The TLS failure that an error code stands for; undefined: none. */
export const tlsTroubleOf = (code: string | undefined): TlsTrouble | undefined =>
  code === undefined ? undefined : troubles.find(({ codes }) => codes.test(code));
