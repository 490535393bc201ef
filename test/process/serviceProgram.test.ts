import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { formatOf, key, pictureOf, statedFields } from '../service/helpers.js';

const main = fileURLToPath(new URL('../service/main.ts', import.meta.url));

suite('The stand-in service: command line', () => {
	for (const signal of ['SIGTERM', 'SIGINT'] as const) {
		test(`It prints its address, serves, and ends cleanly on ${signal}`, async () => {
			const child = start('--port', '0', '--key', key, '--latency', '0.01', '--pictures', 'small');
			try {
				const output = text(child.stdout!);
				const [line] = (await once(child.stdout!, 'data')) as [Buffer];
				assert.match(String(line), /^http:\/\/127\.0\.0\.1:\d+\n$/);
				const { statusCode, body } = await request(`${String(line).trim()}/v1/images/generations`, {
					method: 'POST',
					headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
					body: JSON.stringify({ ...statedFields, prompt: 'A fox' }),
				});
				const reply = { status: statusCode, headers: {}, text: await body.text() };
				const picture = pictureOf(reply);
				assert.equal(formatOf(picture), 'png 1024x1024');
				assert.ok(picture.length < 200_000);
				child.kill(signal);
				assert.deepEqual(await once(child, 'close'), [0, null]);
				assert.equal(await output, String(line));
			} finally {
				child.kill('SIGKILL');
			}
		});
	}
});

function start(...args: readonly string[]): ChildProcess {
	return spawn(process.execPath, ['--import', 'tsx', main, ...args], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});
}
