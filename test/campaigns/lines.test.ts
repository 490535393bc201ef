import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { JsonLines } from '../../src/jobs/jsonLines.js';
import { Ledger } from '../../src/jobs/ledger.js';
import { bundle } from '../process/support.js';
import { seeded } from '../unit/images/random.js';
import { report, scaled, seed } from './campaign';

/** Windows that live at the same time. */
const windows = 4;
/** A window that wrote so many ends by itself, and another one starts. */
const linesOfWindow = 60;
const perDay = 400;

suite('jobs › lines of several windows', () => {
	let storage: string;

	setup(async () => {
		storage = await mkdtemp(path.join(tmpdir(), 'easel-lines-'));
	});

	teardown(() => rm(storage, { recursive: true, maxRetries: 10 }));

	/** Appends lines and reserves images; says each when it is flushed or decided. */
	const program = () =>
		bundle(`import * as z from 'zod';
			import { JsonLines } from './src/jobs/jsonLines.ts';
			import { Ledger } from './src/jobs/ledger.ts';
			const [, , storage, start] = process.argv;
			const ledger = new Ledger(storage!);
			const lines = new JsonLines({
				file: storage + '/lines.jsonl',
				schema: z.object({ id: z.string() }),
				keyOf: ({ id }) => id,
				maxAgeMonths: 1200,
				// A day in 50 ms: the month turns while windows write.
				now: () => Number(start) + (Date.now() - Number(start)) * 1_728_000,
			});
			async function main() { for (let line = 0; line < ${String(linesOfWindow)}; line += 1) {
				const id = crypto.randomUUID();
				if (line % 2 === 0) {
					await lines.append([{ id }]);
					console.log('flushed ' + id);
				} else {
					const granted = await ledger.reserve(id, 1, ${String(perDay)});
					console.log((granted ? 'granted ' : 'refused ') + id);
				}
			}}
			void main();`);

	test('lose nothing that was flushed, whichever starts, ends or is killed, and answer each', async () => {
		const random = seeded(seed);
		const script = await program();
		const trials = scaled(5000);
		const start = String(Date.now());
		const said: string[] = [];
		let killed = 0;
		/** Runs one window after another; each ends by itself or is killed behind one of its lines. */
		const run = async () => {
			while (said.length < trials) {
				const child = spawn(process.execPath, [script, storage, start], {
					stdio: ['ignore', 'pipe', 'inherit'],
				});
				const closed = once(child, 'close');
				const last = random() < 0.5 ? 1 + Math.floor(random() * linesOfWindow) : linesOfWindow;
				let lines = 0;
				for await (const line of createInterface({ input: child.stdout })) {
					said.push(line);
					lines += 1;
					if (lines === last && last < linesOfWindow) {
						killed += 1;
						child.kill('SIGKILL');
					}
				}
				await closed;
				assert.ok(lines >= last, `EASEL_SEED=${String(seed)}: a window ended without an answer`);
			}
		};
		await Promise.all(Array.from({ length: windows }, run));

		const ids = (word: string) =>
			said.flatMap((line) => (line.startsWith(`${word} `) ? line.slice(word.length + 1) : []));
		const known = await new JsonLines({
			...{ file: path.join(storage, 'lines.jsonl'), schema: z.object({ id: z.string() }) },
			...{ keyOf: ({ id }: { id: string }) => id, maxAgeMonths: 1200 },
			now: () => Number(start) + 1200 * 28 * 86_400_000,
		}).lines();
		const lost = ids('flushed').filter((id) => !known.has(id));
		assert.deepEqual(lost, [], `EASEL_SEED=${String(seed)}`);
		const { today } = await new Ledger(storage).budgetUse();
		const granted = ids('granted');
		assert.ok(granted.length <= today && today <= perDay, `${String(granted.length)} granted`);
		assert.ok(granted.length > 0 && ids('refused').length > 0);
		await report('lines', {
			runs: said.length,
			note: `${String(killed)} killed, ${String((await readdir(storage)).length)} files, lost 0, stuck 0`,
		});
	});
});
