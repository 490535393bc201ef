import assert from 'node:assert/strict';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { stat } from 'node:fs/promises';
import { Asking } from '../networks/asking.js';
import { proxyPrograms } from '../networks/proxyPrograms.js';

/** Longer than the 300 s after which others give up. */
const seconds = 330;

suite(`a call that takes ${String(seconds)} s, by a real worker`, function () {
	this.timeout((seconds + 120) * 1000);

	test('comes through every proxy, and without one', async () => {
		const asking = await Asking.begin(seconds * 1000);
		const programs = proxyPrograms();
		const running = await Promise.all(
			programs.map((program, index) =>
				program.start(path.join(asking.folder, `proxy-${String(index)}`), asking.port),
			),
		);
		try {
			const ways = [
				...programs.map(({ name }, index) => ({
					name,
					question: { proxy: `http://127.0.0.1:${String(running[index]?.port)}` },
				})),
				{
					name: 'no proxy',
					question: { address: `https://localhost:${String(asking.port)}` },
				},
			];
			const rows = await Promise.all(
				ways.map(async ({ name, question }) => {
					const startedAt = performance.now();
					const end = await asking.ask(question);
					assert.equal(end.state, 'received', `${name}: ${JSON.stringify(end)}`);
					const elapsed = (performance.now() - startedAt) / 1000;
					const { size } = await stat(end.result.file);
					assert.ok(elapsed >= seconds);
					assert.equal(end.attempts.length, 1);
					return { way: name, seconds: elapsed.toFixed(1), bytes: size };
				}),
			);
			console.table(rows);
			assert.equal(asking.service.imagesMade, ways.length);
		} finally {
			await Promise.all(running.map((proxy) => proxy.close()));
			await asking.end();
		}
	});
});
