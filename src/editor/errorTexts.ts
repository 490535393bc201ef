/*
 * The texts of the errors that come from below: the rooms there know codes and what is to be named.
 * Errors of this room and of those above bring their words along, from the tables of these rooms.
 */
import {
	EaselError,
	factsOfError,
	inWords,
	logText,
	type ErrorCode,
	type ErrorFacts,
	type FactsOf,
} from '../easelError.js';
import { weightWords } from '../images/readableSize.js';
import { formatNumber } from '../images/wording.js';
import { brokenRuleWords } from '../service/sizes.js';

/** Base of the errors that bring their own words. */
export abstract class WordedError extends EaselError {
	constructor(words: string, options?: ErrorOptions) {
		super(inWords(words), options);
	}
}

/** Returns what an error says to the user. */
export function errorText(facts: ErrorFacts): string {
	const text = errorTexts[facts.code] as ((facts: ErrorFacts) => string) | undefined;
	// A newer version has written it.
	return text?.(facts) ?? logText(facts);
}

/** Returns what was thrown in words for the user; an error of others has its own. */
export function wordsOf(error: unknown): string {
	return errorText(factsOfError(error));
}

/** Returns what a noted error says to the user: the noted words, or the text of its facts. */
export function notedText<Words extends string | undefined>(
	words: Words,
	facts: ErrorFacts | undefined,
): Words | string {
	return facts === undefined ? words : errorText(facts);
}

const exampleAddress = 'https://images.example.com';
const convert = 'Convert it to PNG, JPEG or WebP, or choose another image.';

/** The setting or variable of the environment that has this name, to be put into a sentence. */
const place = (name: string) =>
	name.startsWith('http.') ? `the setting ${name}` : `the environment variable ${name}`;

const through = (proxy: string | undefined) =>
	proxy === undefined ? '' : ` through the proxy ${proxy}`;

const refusals = ({ tries }: FactsOf<'worker.notAllowed' | 'socket.noFolder'>) =>
	tries.map((one) => `${one.place}: ${errorText(one.reason)}`).join('; ');

const png = ({ file }: FactsOf<'png.damaged'>, words: string) =>
	`${file === undefined ? 'The file' : `“${file}”`} ${words}`;

const named = (words: string) => (facts: FactsOf<'image.empty'>) => `"${facts.name}" ${words}`;

const inLine = (words: string) => (facts: { readonly line?: number | undefined }) =>
	facts.line === undefined ? words : `Line ${String(facts.line)}: ${words}`;

const errorTexts: { readonly [Code in ErrorCode]: (facts: FactsOf<Code>) => string } = {
	words: ({ words }) => words,
	'file.newerFormat': () => 'A newer version of Easel wrote this. Update Easel.',

	// The service's address, key and proxy
	'address.empty': () => 'Enter the address of your image service.',
	'address.invalid': () => `This is not an address. Enter one like ${exampleAddress}.`,
	'address.protocol': ({ protocol }) =>
		`The address must start with https://, not with ${protocol}//.`,
	'address.credentials': () =>
		'The address must not contain a user name or password. The key is asked for next.',
	'address.unencrypted': () =>
		'http:// would send your key unencrypted. Use https://; http:// is for this machine only (localhost).',
	'address.query': () =>
		`The address must end after the host, without ? or #. Enter one like ${exampleAddress}.`,
	'address.path': ({ path }) =>
		`The address must end after the host. Easel adds the paths of the image service itself; remove ${path}.`,
	'key.missing': () => 'This service address has no API key.',
	'key.invalid': () => 'The API key contains a space or an invalid character. Set it again.',
	'proxy.badAuthorization': () =>
		'The setting http.proxyAuthorization contains an invalid character. Correct it, for example to "Basic" and the encoded credentials.',
	'proxy.invalid': ({ source }) =>
		`The proxy in ${place(source)} is not an address. Enter one like http://proxy.example.com:8080, or empty it. Special characters in the password must be percent-encoded.`,
	'proxy.badProtocol': ({ source, protocol }) =>
		`The proxy in ${place(source)} uses ${protocol}//, which Easel does not support. Enter an http://, https:// or socks5:// proxy, or empty it.`,

	// The request
	'request.emptyPrompt': () => 'The prompt is empty. Describe the image that you want.',
	'request.noModel': ({ service }) =>
		`${service} needs the name of a model or deployment. Enter it in the setting easel.service.model. Nothing was sent.`,
	'request.unknownSize': ({ service, size, sizes, broken, nearest }) =>
		[
			...(broken === undefined
				? [`${service} does not offer the size ${size}. It offers ${sizes}.`]
				: [`${service} does not offer the size ${size}: ${brokenRuleWords(broken)}.`]),
			...(nearest === undefined ? [] : [`The nearest one is ${nearest}.`]),
			'Nothing was sent.',
		].join(' '),
	'request.unknownQuality': ({ service, quality, qualities }) =>
		`${service} does not offer the quality ${quality}. It offers ${qualities}. Nothing was sent.`,
	'request.tooManyReferences': ({ service, count, max }) =>
		`${service} takes at most ${String(max)} reference images, not ${String(count)}. Nothing was sent.`,
	'reference.unreadable': ({ fileName }) =>
		`The reference image ${fileName} cannot be read. Choose it again. Nothing was sent.`,
	'reference.changed': ({ fileName }) =>
		`The reference image ${fileName} was changed or deleted while it was being sent. Choose it again. You were not charged.`,
	'reference.unfit': ({ image }) => `${errorText(image)} Nothing was sent.`,

	// The connection. A notification shows 300 characters, with names of usual length.
	'connection.dns': ({ host, systemCode }) =>
		`The host ${host} cannot be found (${systemCode}). Check the service address and your network connection, and whether a proxy has to be set in http.proxy.`,
	'connection.refused': ({ host, systemCode }) =>
		`${host} does not accept connections (${systemCode}). Check the service address and whether the service is running.`,
	'connection.unreachable': ({ host, systemCode }) =>
		`This machine has no route to ${host} (${systemCode}). Check your network connection, and whether a proxy has to be set in http.proxy.`,
	'connection.connectTimeout': ({ host, systemCode }) =>
		`${host} did not answer the connection in time (${systemCode}). Check your network connection, and whether a proxy has to be set in http.proxy.`,
	'connection.certificateOfAnotherHost': ({ host, proxy, systemCode }) =>
		`The certificate of ${host}${through(proxy)} belongs to another host (${systemCode}). Check the service address.`,
	'connection.certificateNotValidToday': ({ host, proxy, systemCode }) =>
		`The certificate of ${host}${through(proxy)} is not valid today (${systemCode}). Check the clock of this machine; if it is right, tell the administrator of the service.`,
	'connection.certificateNotTrusted': ({ host, proxy, systemCode }) =>
		`The certificate of ${host}${through(proxy)} is not trusted (${systemCode}). If your company inspects traffic, add its root certificate to the operating system's store. Or name its file in the environment variable NODE_EXTRA_CA_CERTS.`,
	'connection.notTls': ({ host, proxy, systemCode }) =>
		proxy === undefined
			? `${host} does not speak TLS correctly (${systemCode}). Check the service address and its port.`
			: `The answer for ${host} through the proxy ${proxy} is not TLS (${systemCode}); it may be a sign-in page. Open a web page in your browser, then try again. If that does not help, check the service address and its port.`,
	'connection.notHttp': ({ host, proxy, systemCode }) =>
		`${host}${through(proxy)} answered with something that is not HTTP (${systemCode}). Check the service address and its port.`,
	'connection.reset': ({ host, proxy, systemCode }) =>
		proxy === undefined
			? `The connection to ${host} broke (${systemCode}). If this always happens after the same time, ask the operator of the service to allow longer requests.`
			: `The connection to ${host} through the proxy ${proxy} broke (${systemCode}). If this always happens after the same time, ask its administrator to allow silent connections of 15 minutes.`,
	'connection.other': ({ host, proxy, systemCode }) =>
		`The connection to ${host}${through(proxy)} failed (${systemCode}). Check the service address and your network connection.`,
	'connection.lost': ({ host, systemCode }) =>
		`The connection to ${host} broke while the image was arriving (${systemCode}).`,
	'proxy.dns': ({ proxy, source, systemCode }) =>
		`The proxy ${proxy} cannot be found (${systemCode}). Check ${place(source)} and your network connection: many proxies are known in the company's network or VPN alone.`,
	'proxy.refused': ({ proxy, source, systemCode }) =>
		`The proxy ${proxy} does not accept connections (${systemCode}). Check ${place(source)} and whether the proxy is running.`,
	'proxy.unreachable': ({ proxy, source, systemCode }) =>
		`This machine has no route to the proxy ${proxy} (${systemCode}). Check your network connection, the VPN too, and ${place(source)}.`,
	'proxy.connectTimeout': ({ proxy, source, systemCode }) =>
		`The proxy ${proxy} did not connect in time (${systemCode}). Check ${place(source)}, whether its address must start with http://, https:// or socks5://, your network connection and the VPN.`,
	'proxy.certificateOfAnotherHost': ({ proxy, source, systemCode }) =>
		`The certificate of the proxy ${proxy} belongs to another host (${systemCode}). In ${place(source)}, use the name in its certificate.`,
	'proxy.certificateNotValidToday': ({ proxy, systemCode }) =>
		`The certificate of the proxy ${proxy} is not valid today (${systemCode}). Check the clock of this machine; if it is right, tell the administrator of the proxy.`,
	'proxy.certificateNotTrusted': ({ proxy, systemCode }) =>
		`The certificate of the proxy ${proxy} is not trusted (${systemCode}). Add its root certificate to the operating system's store, or name its file in the environment variable NODE_EXTRA_CA_CERTS. The setting http.proxyStrictSSL turns the check off.`,
	'proxy.notTls': ({ proxy, source, systemCode }) =>
		`The proxy ${proxy} does not speak TLS (${systemCode}). Check ${place(source)}: for most proxies the address starts with http://, whatever the service's starts with.`,
	'proxy.notHttp': ({ proxy, source, systemCode }) =>
		`The proxy ${proxy} does not answer like an HTTP proxy (${systemCode}). Check ${place(source)}: the port, and whether the address has to start with https:// or socks5://.`,
	'proxy.reset': ({ host, proxy, source, systemCode }) =>
		`The proxy ${proxy} hung up before it connected to ${host} (${systemCode}). Check ${place(source)}: the port, and http://, https:// or socks5:// before it. If they are right, ask its administrator to allow CONNECT to ${host}.`,
	'proxy.other': ({ proxy, source, systemCode }) =>
		`The proxy ${proxy} cannot be used (${systemCode}). Check ${place(source)}.`,
	'proxy.refused.credentials': ({ proxy, scheme, source, credentialsSource, systemCode }) =>
		credentialsSource === undefined
			? `The proxy ${proxy} wants a user name and password (${systemCode}). Put them into ${place(source)}, as in ${scheme}//user:password@${proxy}, with special characters percent-encoded.`
			: `The proxy ${proxy} rejected the user name and password (${systemCode}). Correct them in ${place(credentialsSource)}; in an address, special characters are percent-encoded. If they are right, ask the administrator of the proxy.`,
	'proxy.refused.signIn': ({ proxy, signIns = '', systemCode }) =>
		`The proxy ${proxy} wants a sign-in that Easel does not support (${systemCode}, ${signIns}). Ask its administrator for a user name and password (Basic). Or enter a local proxy that signs in for you in the setting http.proxy.`,
	'proxy.refused.forbidden': ({ host, proxy, systemCode }) =>
		`The proxy ${proxy} does not allow connections to ${host} (${systemCode}). Ask its administrator to allow CONNECT to ${host}, or add the host to the setting http.noProxy.`,
	'proxy.refused.unreachable': ({ host, proxy, systemCode }) =>
		`The proxy ${proxy} could not connect to ${host} (${systemCode}). Check the service address. If it is right, ask the administrator of the proxy, or add the host to the setting http.noProxy.`,
	'proxy.refused.notAProxy': ({ host, proxy, source, systemCode }) =>
		`The proxy ${proxy} did not connect to ${host} but answered with something else (${systemCode}), such as a sign-in page. Open a web page in your browser, then try again. If that does not help, check ${place(source)}.`,

	// The answer
	timeout: ({ seconds }) =>
		`The service did not finish within ${String(seconds)} seconds. Raise the setting easel.service.timeoutSeconds to wait longer.`,
	'status.redirect': ({ words, target }) =>
		`${words} (a redirect to ${target}, which Easel does not follow; check the service address)`,
	'answer.empty': () => 'The service answered with success, but without an image.',
	'answer.html': () =>
		'The service answered with a web page. Check the service address, and whether a proxy asks you to sign in.',
	'answer.notJson': () => 'The answer of the service is not JSON.',
	'answer.notHttp': ({ host, systemCode }) =>
		`${host} answered with something that is not HTTP (${systemCode}). Check the service address and its port.`,
	'answer.malformed': ({ host, systemCode }) =>
		`The answer of ${host} does not follow HTTP (${systemCode}).`,
	'answer.tooLarge': ({ megabytes }) => `The answer is larger than ${String(megabytes)} MiB.`,
	'answer.tooMuch': () => 'The answer of the service has more beside its image than Easel reads.',
	'answer.truncated': () => 'The answer of the service ends before its image does.',
	'answer.link': () =>
		'The service answered with a link instead of the image. Easel does not open it.',
	'answer.linkLost': ({ host }) =>
		`The service answered with a link instead of the image, and ${host} did not hand the image out.`,
	'answer.brokenBase64': () => 'The image in the answer of the service is damaged.',
	'answer.notAnImage': () => 'The service answered with data that is not an image.',
	'answer.missingImage': () => 'The answer of the service contains no image.',
	'answer.cutWords': () => 'The answer of the language model ends before it is complete.',
	'answer.noWords': ({ reason }) =>
		`The answer of the language model has no words that Easel can read${reason === undefined ? '' : ` (${reason})`}.`,
	'ledger.unreadable': () =>
		'A line of the ledger cannot be read, so Easel does not know how much of the budget is used.',
	'storage.full': () =>
		'The disk is full, so the image cannot be stored. Free some space and try again.',
	'storage.fileTooLarge': () =>
		'The image is larger than the largest file this disk allows. Choose a smaller size.',
	'storage.notWritable': ({ systemCode }) =>
		`Easel's storage in the user data of VS Code is not writable (${systemCode}). Make it writable and try again.`,
	'storage.failed': ({ systemCode }) =>
		`The image cannot be stored on this machine (${systemCode}). Check the disk and try again.`,
	'storage.journal': ({ systemCode }) =>
		`The request could not be recorded in Easel's journal (${systemCode}), so it was not sent.`,

	// A job and its worker
	'window.left': () =>
		'Another window of this workspace took over from this one. Nothing was sent. Reload this window to make images in it.',
	'window.notOwner': () =>
		'This window is closing, or another window took over. Nothing was sent. Try again.',
	'job.cancelledWhileReceiving': () => 'You cancelled after a part of the answer had arrived.',
	'job.lateAnswer': () => 'The request ended before its answer had arrived.',
	'job.lateImage': () => 'The image arrived after its request had ended.',
	'job.savedFileMissing': () => 'The saved file is missing or not whole.',
	'job.processEnded': () => 'its process was ended, or the computer was switched off',
	'worker.failed': ({ reason }) => `Something went wrong in Easel: ${errorText(reason)}`,
	'worker.notStarted': ({ reason }) =>
		`Easel's worker process did not start: ${errorText(reason)}.`,
	'worker.notAllowed': (facts) =>
		`VS Code does not allow Easel to start a process (${refusals(facts)}). Install Node.js ${facts.minNode} or later on the PATH, restart VS Code, and try again.`,
	'start.timeout': () => 'it took too long',
	'start.noAnswer': () => 'it did not answer as a Node.js process of ours would',
	'start.exited': ({ exitCode }) => `it ended with code ${exitCode}`,
	'start.killed': ({ signal }) => `it was ended by ${signal}`,
	'start.oldNode': ({ version }) => `it is Node.js ${version}`,
	'start.requested': () => 'it is already requested',
	'start.requestedBefore': ({ state }) => `it was asked for already (${state})`,
	'start.unchecked': () => 'Easel cannot check whether it is already requested',
	'start.slotTaken': () => 'another image has its slot',
	'socket.noFolder': (facts) =>
		`Easel found no folder for its local socket (${refusals(facts)}). Set the environment variable TMPDIR to a writable folder with a short path, and restart VS Code.`,
	'socket.notPrivate': () => 'a folder there is not private to you',
	'socket.longPath': ({ bytes, maxBytes }) =>
		`a path of ${String(bytes)} bytes is longer than the ${String(maxBytes)} that a socket may have`,

	// Images
	'image.missing': named(
		'was not found. It may have been moved, renamed or deleted; choose the image again.',
	),
	'image.folder': named('is a folder. Choose an image inside it.'),
	'image.empty': named('is empty. Restore it, or choose another image.'),
	'image.notAnImage': named(
		'is not a PNG, JPEG or WebP image. Convert it, or choose another image.',
	),
	'image.damaged': named(
		'is damaged: its header is broken or incomplete. Restore it, or choose another image.',
	),
	'image.tooLarge': named('is larger than 256 MB. Choose a smaller image.'),
	'image.unreadable': named('cannot be read. Check its permissions, or choose another image.'),
	'image.lfsPointer': named(
		'is a Git LFS pointer, not the image itself. Run `git lfs pull`, then try again.',
	),
	'image.annexPointer': named(
		'is a git-annex pointer, not the image itself. Run `git annex get`, then try again.',
	),
	'image.applePng': named(
		"is a PNG in Apple's optimized form (CgBI), which only Apple's software reads. Export it again from its source, or convert it with `pngcrush -revert-iphone-optimizations`.",
	),
	'image.webPage': named(
		'is a web page, probably an error page that was saved in place of the image. Download the image again.',
	),
	'image.svg': named('is an SVG drawing. Export it as PNG, or choose another image.'),
	'image.heic': named(`is a HEIC image. ${convert}`),
	'image.avif': named(`is an AVIF image. ${convert}`),
	'image.jxl': named(`is a JPEG XL image. ${convert}`),
	'image.gif': named(`is a GIF image. ${convert}`),
	'image.tiff': named(`is a TIFF image. ${convert}`),
	'image.icon': named(`is an icon file (ICO). ${convert}`),
	'image.photoshop': named('is a Photoshop document. Export it as PNG, or choose another image.'),
	'image.pdf': named('is a PDF document. Export the page as PNG, or choose another image.'),
	'thumbnail.tooLarge': named('is too large to be decoded.'),
	'thumbnail.undecodable': named('cannot be decoded. It is damaged or has an unknown format.'),
	'thumbnail.cmyk': named(
		'is a CMYK image, made for print, which Easel cannot decode. Convert it to RGB, or choose another image.',
	),
	'thumbnail.tooSlow': named('takes too long to decode.'),
	'thumbnail.crashed': named('could not be decoded: the process that does it has ended.'),
	'thumbnail.unwritable': named('has no thumbnail: it could not be stored.'),
	'export.tooHeavy': ({ name, reached, maxBytes }) =>
		`${name} still has ${weightWords(reached)} at the lowest quality. Allow more than ${weightWords(maxBytes)}, or make it smaller.`,
	'fileName.tooLong': ({ length, maxLength }) =>
		`The file name pattern has ${formatNumber(length)} characters. Use at most ${formatNumber(maxLength)}.`,
	'fileName.unknownVariable': ({ unknown, known }) =>
		`The file name pattern has ${unknown.join(', ')}, which is not known. Use ${known.slice(0, -1).join(', ')} or ${known.at(-1) ?? ''}.`,
	'fileName.folder': ({ folder }) =>
		`The file name pattern names a folder: "${folder}". Set the folder in "easel.output.folder".`,
	'png.notPng': (facts) => png(facts, 'is not a PNG image, despite its name.'),
	'png.damaged': (facts) =>
		png(facts, 'is a damaged PNG image. Open it in an image editor and save it again.'),
	'png.tooMuch': (facts) =>
		png(
			facts,
			'is a PNG image with more parts than Easel reads. Open it in an image editor and save it again.',
		),

	// The style guide
	'style.tooLarge': ({ kilobytes }) => `It is larger than ${String(kilobytes)} KB.`,
	'style.tooLong': ({ length, maxLength, line }) =>
		inLine(
			`the text from here on has ${formatNumber(length)} characters. At most ${formatNumber(maxLength)} can go with every prompt.`,
		)({ line }),
	'style.notClosed': inLine('the block that starts here has no closing line of ---.'),
	'style.notText': inLine('this is not text.'),
	'style.strayDash': inLine('a line with a dash belongs below “references:”.'),
	'style.repeated': ({ field, line }) => inLine(`${field} is repeated here.`)({ line }),
	'style.unknownField': inLine(
		'a style guide only has the fields “size: 1024x1024” and “references:”.',
	),
	'style.listInOneLine': inLine('write each reference image on its own line, with a dash.'),
	'style.tooManyReferences': ({ maxCount, line }) =>
		inLine(`a style has at most ${String(maxCount)} reference images.`)({ line }),
	'style.emptyPath': inLine('the path of a reference image is missing.'),
	'style.address': inLine('a reference image is a path within the workspace, not an address.'),
	'style.unknownSize': inLine(
		'a size is “auto”, or width and height in pixels, for example “1024x1024”.',
	),
	'style.openQuote': inLine('the quoted text does not end, or contains escapes.'),
	'style.notWritable': ({ path }) => `${path} cannot be written into it. Add it yourself.`,
	'style.badName': ({ path }) =>
		`${path} has a name that is not allowed in a style guide. Rename it.`,

	// Reading documents and folders
	'reading.tooSlow': ({ seconds }) => `It was not read within ${String(seconds)} seconds.`,
	'search.slowFile': ({ name }) =>
		`“${name}” takes too long to read. Exclude it with the setting files.exclude and try again.`,
	'search.slowPattern': ({ setting, glob }) =>
		`The setting ${setting} has a pattern that takes too long: “${glob}”. Change or remove it and try again.`,
	'search.slowIgnore': ({ name }) =>
		`A .gitignore pattern in the folder “${name}” takes too long. Change it, or exclude the folder with the setting files.exclude.`,
};
