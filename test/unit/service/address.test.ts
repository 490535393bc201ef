import assert from 'node:assert/strict';
import { wordsOf } from '../../../src/editor/errorTexts.js';
import { normalizeAddress, serviceUrl } from '../../../src/service/address.js';
import { services } from '../../../src/service/services.js';
import { RequestError } from '../../../src/service/errors.js';

function assertAddress(typed: string, normal: string): void {
	assert.equal(normalizeAddress(typed), normal, typed);
}

function assertRefused(typed: string, reason: RegExp): void {
	assert.throws(
		() => normalizeAddress(typed),
		(error: unknown) => {
			assert.ok(error instanceof RequestError, typed);
			assert.equal(error.field, 'address');
			assert.match(wordsOf(error), reason, typed);
			assert.doesNotMatch(`${String(error)} ${wordsOf(error)}`, /secret/);
			return true;
		},
	);
}

suite('service › address', () => {
	test('keeps the origin alone, forgiving a trailing slash, /v1, spaces and a missing https://', () => {
		assertAddress('https://images.example.com', 'https://images.example.com');
		assertAddress(' https://images.example.com/ ', 'https://images.example.com');
		assertAddress('https://images.example.com/v1', 'https://images.example.com');
		assertAddress('https://images.example.com/v1/', 'https://images.example.com');
		assertAddress('https://images.example.com//', 'https://images.example.com');
		assertAddress('images.example.com//v1//', 'https://images.example.com');
		assertAddress('HTTPS://Images.Example.com:8443', 'https://images.example.com:8443');
		assertAddress('images.example.com', 'https://images.example.com');
		assertAddress('https://bücher.example', 'https://xn--bcher-kva.example');
	});

	test('takes http:// for this machine only', () => {
		for (const address of [
			'http://localhost:8080',
			'http://127.0.0.1:1',
			'http://127.10.20.254:1',
			'http://[::1]:9',
		]) {
			assertAddress(address, address);
		}
		for (const address of [
			'http://images.example.com',
			'http://192.168.1.5',
			'http://localhost.example.com',
			'http://evil.localhost',
			'http://127.0.0.1.example.com',
		]) {
			assertRefused(address, /unencrypted/);
		}
	});

	test('leaves out the paths that pages about such services show', () => {
		for (const path of [
			'images',
			'images/generations',
			'images/edits/',
			'chat/completions',
			'messages',
			'models',
		]) {
			assertAddress(`https://images.example.com/v1/${path}`, 'https://images.example.com');
		}
	});

	test('refuses a path and says why', () => {
		assertRefused('https://images.example.com/api/v1', /remove \/api\/v1\./);
		assertRefused('https://images.example.com/v2', /remove \/v2\./);
	});

	test('refuses what is no address, another scheme, credentials, which it does not repeat, a query and a fragment', () => {
		assertRefused('', /Enter the address/);
		assertRefused('not an address', /not an address.*https:\/\/[a-z.]+\.$/);
		assertRefused('ftp://images.example.com', /https:\/\//);
		for (const credentials of ['user:secret', 'user', ':secret']) {
			assertRefused(`https://${credentials}@images.example.com`, /user name or password/);
		}
		assertRefused('https://images.example.com/?a=b', /without \? or #/);
		assertRefused('images.example.com?from=https://example.com', /without \? or #/);
		assertRefused('https://images.example.com/#a', /without \? or #/);
	});

	test('puts the endpoints under /v1/images', () => {
		assert.equal(
			serviceUrl('https://images.example.com/v1', services.standard, 'images/edits').href,
			'https://images.example.com/v1/images/edits',
		);
		assert.equal(
			serviceUrl('https://images.example.com', services.standard, 'images/generations').href,
			'https://images.example.com/v1/images/generations',
		);
	});
});
