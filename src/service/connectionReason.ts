/** Why a connection could not be made or broke. */
export type ConnectionReason =
	| 'dns'
	| 'refused'
	| 'unreachable'
	| 'connectTimeout'
	| 'certificateOfAnotherHost'
	| 'certificateNotValidToday'
	| 'certificateNotTrusted'
	| 'notTls'
	| 'notHttp'
	| 'reset'
	| 'other';

/**
 * Finds the reason in an error's code.
 *
 * @param code the system's, OpenSSL's or Node's, as in `ECONNREFUSED`
 * @param syscall what the system was doing, where it is its code
 */
export function reasonOf(code: string, syscall?: string): ConnectionReason {
	if (code === 'ETIMEDOUT' && syscall === 'read') {
		// On an open connection it is TCP's keep-alive that found nobody on the other side.
		return 'reset';
	}
	return reasons.find(([, codes]) => codes.test(code))?.[0] ?? 'other';
}

/** The first that fits; certificates have OpenSSL's names, as Node gives them (`tls`). */
const reasons: readonly (readonly [reason: ConnectionReason, codes: RegExp])[] = [
	['dns', /^(ENOTFOUND|EAI_.*)$/],
	['refused', /^ECONNREFUSED$/],
	['unreachable', /^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN|EADDRNOTAVAIL)$/],
	['connectTimeout', /^(CONNECT_TIMEOUT|ETIMEDOUT)$/],
	['certificateOfAnotherHost', /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/],
	['certificateNotValidToday', /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/],
	['certificateNotTrusted', /CERT|^INVALID_(CA|PURPOSE)$|^UNABLE_TO_/],
	['notTls', /^(EPROTO$|ERR_SSL_)/],
	['notHttp', /^HPE_/],
	['reset', /^(ECONNRESET|ECONNABORTED|EPIPE)$/],
];
