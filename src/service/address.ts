import type { ErrorFacts } from '../easelError.js';
import { RequestError } from './errors.js';
import { recognizeService, services, type Service } from './services.js';

/**
 * Checks a service address as the user types it and returns it as it is stored: the origin alone,
 * without `/v1` and the paths that pages about such services show: the specification calls both a
 * base address ("Addresses by protocol").
 *
 * @throws {RequestError} naming what is wrong with it
 */
export function normalizeAddress(text: string): string {
	const trimmed = text.trim();
	if (trimmed === '') {
		throw wrong({ code: 'address.empty' });
	}
	let url: URL;
	try {
		url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
	} catch {
		throw wrong({ code: 'address.invalid' });
	}
	const { protocol } = url;
	if (protocol !== 'https:' && protocol !== 'http:') {
		throw wrong({ code: 'address.protocol', protocol });
	}
	if (url.username !== '' || url.password !== '') {
		throw wrong({ code: 'address.credentials' });
	}
	if (protocol === 'http:' && !isLoopback(url.hostname)) {
		throw wrong({ code: 'address.unencrypted' });
	}
	const known = recognizeService(url.origin);
	const { base, otherPaths }: Partial<Service> = known === undefined ? {} : services[known];
	if (otherPaths?.test(url.pathname)) {
		return url.origin;
	}
	if (url.search !== '' || url.hash !== '') {
		throw wrong({ code: 'address.query' });
	}
	if (!knownPath.test(base === undefined ? url.pathname : url.pathname.replace(base, '/v1'))) {
		throw wrong({ code: 'address.path', path: url.pathname });
	}
	return url.origin;
}

/** Returns the deployment that an address of Azure names; the empty string where it names none. */
export function deploymentIn(text: string): string {
	const [, name = ''] = /\/openai\/deployments\/([^/?#\s]{1,100})/.exec(text) ?? [];
	return name;
}

/** Length of the whole address as it is typed. */
const knownPath =
	/^\/*(?:v1(?:\/(?:images(?:\/(?:generations|edits))?|chat\/completions|messages|models|responses))?\/*)?$/;

/** Returns the address of an endpoint of a service. @throws as {@link normalizeAddress} */
export function serviceUrl(
	address: string,
	{ base }: Pick<Service, 'base'>,
	endpoint: 'images/generations' | 'images/edits' | 'models',
): URL {
	return new URL(`${base}/${endpoint}`, normalizeAddress(address));
}

/**
 * Returns whether a host, as a `URL` has it, is this machine. Names below `localhost` do not count: the
 * system's resolver, unlike a browser, may look them up elsewhere.
 */
export function isLoopback(hostname: string): boolean {
	return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}

function wrong(facts: ErrorFacts): RequestError {
	return new RequestError('address', facts);
}
