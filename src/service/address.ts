import { RequestError } from './errors.js';

/**
 * Checks a service address as the user types it and returns it as it is stored: the origin alone.
 * A trailing slash or `/v1` is forgiven: the specification calls the host alone as well as the host
 * with `/v1` a base address ("Addresses by protocol").
 *
 * @throws {RequestError} naming what is wrong with it
 */
export function normalizeAddress(text: string): string {
	const trimmed = text.trim();
	if (trimmed === '') {
		throw wrong('Enter the address of your image service.');
	}
	let url: URL;
	try {
		url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
	} catch {
		throw wrong(`This is not an address. Enter one like ${example}.`);
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		throw wrong(`The address must start with https://, not with ${url.protocol}//.`);
	}
	if (url.username !== '' || url.password !== '') {
		throw wrong('The address must not contain a user name or password. The key is asked for next.');
	}
	if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
		throw wrong(
			'http:// would send your key unencrypted. Use https://; http:// is for this machine only (localhost).',
		);
	}
	if (url.search !== '' || url.hash !== '') {
		throw wrong(`The address must end after the host, without ? or #. Enter one like ${example}.`);
	}
	if (!/^\/*(v1\/*)?$/.test(url.pathname)) {
		throw wrong(
			`The address must end after the host. Easel adds the paths of the image service itself; remove ${url.pathname}.`,
		);
	}
	return url.origin;
}

/**
 * The full address of an image endpoint (specification, "Image endpoints").
 *
 * @throws {RequestError} naming what is wrong with the service address
 */
export function serviceUrl(address: string, endpoint: 'generations' | 'edits'): URL {
	return new URL(`/v1/images/${endpoint}`, normalizeAddress(address));
}

/**
 * Whether the host is this machine. Names below `localhost` do not count: the system's resolver,
 * unlike a browser, may look them up elsewhere.
 *
 * @param hostname as of a `URL`: an IPv6 address in brackets
 */
export function isLoopback(hostname: string): boolean {
	return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}

const example = 'https://images.example.com';

function wrong(message: string): RequestError {
	return new RequestError('address', message);
}
