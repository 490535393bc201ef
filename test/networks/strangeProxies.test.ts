import assert from 'node:assert/strict';
import net from 'node:net';
import { notedText } from '../../src/editor/errorTexts.js';
import { listen, type Listening } from '../unit/service/networkFixtures.js';
import { Asking } from './asking.js';

/** Failures of a worker behind something that is no proxy, as its journal reports them. */
suite('networks › what is no proxy', function () {
	this.timeout(120_000);
	let asking: Asking;
	let strange: Listening | undefined;

	suiteSetup(async () => {
		asking = await Asking.begin();
	});

	suiteTeardown(() => asking.end());

	teardown(() => strange?.close());

	/** Asks through what says this to the first bytes it hears; returns the words and the attempts. */
	async function askThrough(says: (socket: net.Socket) => void) {
		strange = await listen(
			net.createServer((socket) => {
				socket.once('data', () => says(socket));
			}),
		);
		const proxy = `127.0.0.1:${String(strange.port)}`;
		const end = await asking.ask({ proxy, change: { retry: 'all' } });
		assert.equal(end.state, 'failed');
		assert.equal(end.failure.charge, 'notSent');
		const message = notedText(end.failure.message, end.failure.error);
		assert.ok(message.includes(proxy), message);
		assert.equal(asking.service.requests.length, 0);
		return {
			message,
			attempts: end.attempts.length,
			journal: JSON.stringify(end),
		};
	}

	const page = '<html><a href="http://evil.example.net">Please log in</a></html>';

	test('a login page that stands in for a way is not repeated, and nothing of it is kept', async () => {
		const { message, attempts, journal } = await askThrough((socket) =>
			socket.end(`HTTP/1.1 302 Found\r\nLocation: http://evil.example.net\r\n\r\n${page}`),
		);
		assert.match(message, /answered with something else \(302\), such as a sign-in page\. Open a/);
		assert.equal(attempts, 1);
		assert.doesNotMatch(journal, /Please|evil|html/);
	});

	test('a login page behind a way that was granted is no answer of the service', async () => {
		const { message, journal } = await askThrough((socket) =>
			socket.end(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${page}`),
		);
		assert.match(message, /it may be a sign-in page\. Open a web page in your browser/);
		assert.doesNotMatch(journal, /Please|evil|html/);
	});

	test('what hangs up is asked again, as it may pass, and says in the end what to check', async () => {
		const { message, attempts } = await askThrough((socket) => socket.destroy());
		assert.match(message, /hung up before it connected to images\.example\.com:\d+ \(ECONNRESET\)/);
		assert.equal(attempts, 4);
	});

	test('a sign-in that only the system knows is named', async () => {
		const { message, attempts } = await askThrough((socket) =>
			socket.end(
				'HTTP/1.1 407 No\r\nProxy-Authenticate: Negotiate\r\nProxy-Authenticate: NTLM\r\n\r\n',
			),
		);
		assert.match(message, /a sign-in that Easel does not support \(407, negotiate, ntlm\)/);
		assert.equal(attempts, 1);
	});
});
