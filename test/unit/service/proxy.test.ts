import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { wordsOf } from '../../../src/editor/errorTexts.js';
import { RequestError } from '../../../src/service/errors.js';
import {
	defaultNetworkOptions,
	proxyAuthorizationFor,
	proxyFor,
	proxyName,
	type NetworkOptions,
} from '../../../src/service/proxy.js';

const service = new URL('https://images.example.com');

function chosen(
	options: Partial<NetworkOptions>,
	env: Record<string, string> = {},
	address: URL | string = service,
): string | undefined {
	const proxy = proxyFor(new URL(address), { ...defaultNetworkOptions, ...options }, env);
	return proxy && proxyName(proxy.url);
}

suite('service › proxy', () => {
	test('prefers http.proxy, then https_proxy, HTTPS_PROXY, http_proxy, HTTP_PROXY', () => {
		const env = {
			HTTP_PROXY: 'http://four:1',
			http_proxy: 'http://three:1',
			HTTPS_PROXY: 'http://two:1',
			https_proxy: 'http://one:1',
		};
		assert.equal(chosen({ proxy: 'http://setting:1' }, env), 'setting:1');
		assert.equal(chosen({}, env), 'one:1');
		assert.equal(chosen({}, { ...env, https_proxy: '' }), 'two:1');
		assert.equal(chosen({}, { ...env, https_proxy: '', HTTPS_PROXY: '' }), 'three:1');
		assert.equal(chosen({}, { HTTP_PROXY: env.HTTP_PROXY }), 'four:1');
		assert.equal(chosen({ proxy: ' ' }, { ...env, https_proxy: ' ' }), 'two:1');
	});

	test('names what holds the proxy', () => {
		const source = (options: Partial<NetworkOptions>, env: Record<string, string>) =>
			proxyFor(service, { ...defaultNetworkOptions, ...options }, env)?.source;
		assert.equal(source({ proxy: 'p:1' }, { HTTPS_PROXY: 'q:1' }), 'http.proxy');
		assert.equal(source({}, { http_proxy: 'q:1' }), 'http_proxy');
	});

	test('uses one value for both schemes', () => {
		assert.equal(chosen({}, { HTTPS_PROXY: 'http://p:1' }, 'http://example.com'), 'p:1');
		assert.equal(chosen({}, { HTTP_PROXY: 'http://p:1' }), 'p:1');
	});

	test('uses no proxy with proxySupport off, and the same one with every other value', () => {
		assert.equal(chosen({ proxy: 'http://p:1', proxySupport: 'off' }), undefined);
		for (const proxySupport of ['on', 'fallback', 'override'] as const) {
			assert.equal(chosen({ proxy: 'http://p:1', proxySupport }), 'p:1');
		}
	});

	test('never uses a proxy for this machine', () => {
		for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '[::1]', '[::ffff:127.0.0.1]']) {
			assert.equal(chosen({ proxy: 'http://p:1' }, {}, `http://${host}:8080`), undefined, host);
		}
		assert.equal(chosen({ proxy: 'http://p:1' }, {}, 'http://localhost.example.com'), 'p:1');
	});

	test('matches noProxy by labels from the end, with an optional port', () => {
		const covered: readonly (readonly [entry: string, covered: boolean])[] = [
			['images.example.com', true],
			['example.com', true],
			['.example.com', true],
			['EXAMPLE.com', true],
			[' example.com ', true],
			['com', true],
			['*', true],
			['example.com:443', true],
			['example.com:8443', false],
			['ample.com', false],
			['other.com', false],
			['*.example.com', false],
			['', false],
			[':443', false],
			['10.0.0.0/8', false],
			['.', false],
			['example.com:', true],
			['example.com:a', false],
		];
		for (const [entry, expected] of covered) {
			const proxy = chosen({ proxy: 'http://p:1', noProxy: ['nothing.test', entry] });
			assert.equal(proxy === undefined, expected, entry);
		}
		assert.equal(
			chosen({ proxy: 'http://p:1', noProxy: ['example.com'] }, {}, 'https://a.example.com.'),
			undefined,
		);
	});

	test('a port in noProxy is that of the address, or the one of its scheme', () => {
		const isDirect = (entry: string, address: string) =>
			chosen({ proxy: 'http://p:1', noProxy: [entry] }, {}, address) === undefined;
		assert.ok(isDirect('example.com:80', 'http://example.com'));
		assert.ok(!isDirect('example.com:443', 'http://example.com'));
		assert.ok(isDirect('example.com:8443', 'https://example.com:8443'));
		assert.ok(!isDirect('example.com:443', 'https://example.com:8443'));
	});

	test('matches IPv6 addresses in noProxy with and without brackets', () => {
		for (const entry of ['fd00::1', '[fd00::1]', '[fd00::1]:443']) {
			const options = { proxy: 'http://p:1', noProxy: [entry] };
			assert.equal(chosen(options, {}, 'https://[fd00::1]'), undefined, entry);
			assert.equal(chosen(options, {}, 'https://[fd00::2]'), 'p:1', entry);
		}
		for (const address of ['2001:db8:0:1::12', '2001:DB8::12', '::12']) {
			const options = { proxy: 'http://p:1', noProxy: [address] };
			assert.equal(chosen(options, {}, `https://[${address}]`), undefined, address);
		}
	});

	test('ignores NO_PROXY where http.noProxy has entries', () => {
		const env = { NO_PROXY: 'a.test,.example.com', HTTPS_PROXY: 'http://p:1' };
		assert.equal(chosen({}, env), undefined);
		assert.equal(chosen({ noProxy: ['a.test'] }, env), 'p:1');
		assert.equal(chosen({}, { ...env, no_proxy: 'a.test' }), 'p:1');
		assert.equal(chosen({ proxy: 'http://q:1' }, env), undefined);
		assert.equal(chosen({}, { ...env, NO_PROXY: '*' }), undefined);
	});

	test('knows the default ports and forgives a missing scheme', () => {
		assert.equal(chosen({ proxy: 'http://p' }), 'p:80');
		assert.equal(chosen({ proxy: 'https://p' }), 'p:443');
		assert.equal(chosen({ proxy: 'socks5://p' }), 'p:1080');
		assert.equal(chosen({ proxy: 'p:3128' }), 'p:3128');
		assert.equal(chosen({ proxy: ' p:3128 ' }), 'p:3128');
		assert.equal(chosen({ proxy: 'p:3128/?as=http://x' }), 'p:3128');
		assert.equal(chosen({ proxy: 'http://user:secret@p:3128/' }), 'p:3128');
	});

	test('names the setting or the variable of an unusable proxy, without its password', () => {
		const bad: readonly (readonly [value: string, words: RegExp])[] = [
			['http://user:secret@', /is not an address.*percent-encoded/],
			['http://user:se#secret@p:1', /is not an address.*percent-encoded/],
			['http://p:99999', /is not an address/],
			['socks5://', /is not an address/],
			['socks4://user:secret@p:1', /uses socks4:\/\/.*socks5:\/\//],
			['ftp://p', /uses ftp:\/\//],
		];
		for (const [value, words] of bad) {
			for (const [field, choose] of [
				['http.proxy', () => chosen({ proxy: value })],
				['HTTPS_PROXY', () => chosen({}, { HTTPS_PROXY: value })],
			] as const) {
				assert.throws(choose, (error) => {
					assert.ok(error instanceof RequestError);
					assert.equal(error.field, field);
					assert.match(wordsOf(error), words);
					assert.ok(wordsOf(error).includes(field));
					assert.ok(!inspect(error).includes('secret'));
					return true;
				});
			}
		}
	});

	test('takes the credentials from the setting, else from the address', () => {
		const credentials = (proxy: string, proxyAuthorization?: string) =>
			proxyAuthorizationFor(
				{ url: new URL(proxy), source: 'HTTPS_PROXY' },
				{ ...defaultNetworkOptions, proxyAuthorization },
			);
		const authorization = (proxy: string, setting?: string) => credentials(proxy, setting)?.value;
		const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
		assert.equal(credentials('http://u:p@p:1')?.source, 'HTTPS_PROXY');
		assert.equal(credentials('http://u:p@p:1', 'x')?.source, 'http.proxyAuthorization');
		assert.equal(authorization('http://p:1'), undefined);
		assert.equal(authorization('http://us%40er:p%3Aw@p:1'), basic('us@er:p:w'));
		assert.equal(authorization('http://user@p:1'), basic('user:'));
		assert.equal(authorization('http://user:100%@p:1'), basic('user:100%'));
		assert.equal(authorization('http://:pw@p:1'), basic(':pw'));
		assert.equal(authorization('http://user:pw@p:1', ' Bearer x '), 'Bearer x');
		assert.equal(authorization('http://user:pw@p:1', ' '), basic('user:pw'));
		assert.throws(() => authorization('http://p:1', 'Basic a\r\nEvil: b'), {
			name: 'RequestError',
			field: 'http.proxyAuthorization',
		});
	});
});
