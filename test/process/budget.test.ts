import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Ledger } from '../../src/jobs/ledger.js';
import { rare } from '../host/rare';
import { bundle, ownFolder } from './support.js';

const windows = 8;
const budget = 3;

suite('jobs › the budget of several windows at once', () => {
	const storage = ownFolder();

	/** Lets each of eight processes reserve at once. Returns what each was answered. */
	async function reserveAtOnce(counts: readonly number[]): Promise<boolean[]> {
		const script = await bundle(`import { Ledger } from './src/jobs/ledger.ts';
			const [, , storage, counts] = process.argv;
			const ledger = new Ledger(storage!);
			process.stdin.once('data', async () => {
				const all = JSON.parse(counts!).map((count) =>
					ledger.reserve(crypto.randomUUID(), count, ${String(budget)}));
				console.log(JSON.stringify(await Promise.all(all)));
				process.exit();
			});
			console.log('ready');`);
		const children: ChildProcess[] = [];
		try {
			const answers: Promise<boolean[]>[] = [];
			const ready: Promise<unknown>[] = [];
			for (let index = 0; index < windows; index += 1) {
				const child = spawn(process.execPath, [script, storage.path, JSON.stringify(counts)], {
					stdio: ['pipe', 'pipe', 'inherit'],
				});
				children.push(child);
				const lines = createInterface({ input: child.stdout });
				const isReady = once(lines, 'line');
				ready.push(isReady);
				answers.push(
					isReady
						.then(() => once(lines, 'line'))
						.then(([line]) => JSON.parse(String(line)) as boolean[]),
				);
			}
			await Promise.all(ready);
			children.forEach(({ stdin }) => stdin!.write('go\n'));
			return (await Promise.all(answers)).flat();
		} finally {
			children.forEach((child) => child.kill('SIGKILL'));
		}
	}

	rare(
		'is never exceeded where each asks for one, two and one again, and every window knows the same',
		async () => {
			const granted = await reserveAtOnce([1, 2, 1]);
			assert.equal(granted.length, 3 * windows);
			const counts = granted.flatMap((isGranted, index) =>
				isGranted ? ([1, 2, 1][index % 3] ?? 0) : [],
			);
			const sum = counts.reduce((all, count) => all + count, 0);
			assert.equal(sum, budget);
			assert.equal((await new Ledger(storage.path).budgetUse()).today, sum);
		},
	);
});
