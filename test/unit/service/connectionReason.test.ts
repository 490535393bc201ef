import assert from 'node:assert/strict';
import { wordedFailure } from './wordedFailure.js';

/** As the systems, OpenSSL and Node name them (`os.constants.errno`, `dns`, `tls`, llhttp). */
const codes: Readonly<Record<string, readonly string[]>> = {
	dns: ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_FAIL'],
	refused: ['ECONNREFUSED'],
	unreachable: ['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'EADDRNOTAVAIL'],
	connectTimeout: ['CONNECT_TIMEOUT', 'ETIMEDOUT'],
	certificateOfAnotherHost: ['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
	certificateNotValidToday: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
	certificateNotTrusted: [
		...['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_UNTRUSTED'],
		...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'CERT_REVOKED'],
		...['INVALID_CA', 'INVALID_PURPOSE'],
	],
	notTls: ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'],
	notHttp: ['HPE_INVALID_CONSTANT', 'HPE_INVALID_VERSION'],
	reset: ['ECONNRESET', 'ECONNABORTED', 'EPIPE'],
	other: ['EMFILE', 'EACCES', 'FAILED', 'ERR_INVALID_ARG_VALUE', ''],
};

function reasonOf(code: string, syscall?: string): string {
	const error = Object.assign(new Error('failed'), { code, syscall });
	return wordedFailure(error, new URL('https://images.example.com')).reason;
}

suite('service › transportFailure, by the code of an error', () => {
	test('knows what the codes mean', () => {
		for (const [reason, all] of Object.entries(codes)) {
			for (const code of all) {
				assert.equal(reasonOf(code), reason, code);
			}
		}
	});

	test('takes no code for another that only begins or ends as it does', () => {
		const families = /CERT|^EAI_|^UNABLE_TO_|^ERR_SSL_|^HPE_/;
		for (const code of Object.values(codes).flat().filter(Boolean)) {
			if (!code.includes('CERT')) {
				assert.equal(reasonOf(`PROXY_${code}`), 'other', code);
			}
			if (!families.test(code)) {
				assert.equal(reasonOf(`${code}_AT_THE_END`), 'other', code);
			}
		}
		// About a certificate all the same, but not of its host or its days.
		for (const code of ['ERR_TLS_CERT_ALTNAME_INVALID', ...codes.certificateNotValidToday!]) {
			assert.equal(reasonOf(`NO_${code}`), 'certificateNotTrusted', code);
			assert.equal(reasonOf(`${code}_FORMAT`), 'certificateNotTrusted', code);
		}
	});

	test('tells a connection that broke from one that was not made in time', () => {
		assert.equal(reasonOf('ETIMEDOUT', 'connect'), 'connectTimeout');
		assert.equal(reasonOf('ETIMEDOUT', 'read'), 'reset');
		assert.equal(reasonOf('ENOTFOUND', 'read'), 'dns');
	});
});
