import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { followJob } from '../../../src/jobs/follow.js';
import { Journal } from '../../../src/jobs/journal.js';
import { startWorker } from '../../../src/jobs/workerProcess.js';
import { padPng } from '../../service/png.js';
import { seeded } from '../../unit/images/random.js';
import { bundle } from '../../process/support.js';
import { inputFor, requestOf } from '../../unit/jobs/support.js';
import { certificateFor } from '../../unit/service/networkFixtures.js';
import { endingNames, startEndingServer } from './endings.js';
import { hasNginx, startNginx } from './nginx.js';

/** Sizes of pictures in MiB: those that a service of this kind makes, up to the largest. */
const everySize = [0.1, 0.3, 0.5, 1, 1, 1.5, 2, 2, 3, 4, 6, 9, 16, 24];

/** Workers at once, as many as a user may have. */
const atOnce = 4;

export interface SoakOptions {
	readonly pictures: number;
	/** Decides the sizes, and where answers are split; what waits how long is left to the machine. */
	readonly seed: number;
}

/** The outcome of the pictures that were sent in one way. */
export interface SoakRow {
	/** The way between worker and server: `direct`, `TLS`, `nginx`, `nginx with TLS`. */
	readonly way: string;
	readonly ending: string;
	received: number;
	/** Pictures that left the server whole and are not whole in the storage. */
	lost: number;
	/** The messages for those that were lost. */
	readonly words: Set<string>;
}

/**
 * Has pictures of 0.1 to 24 MiB made by real workers with a disk that is slow now and then, from
 * servers that end their answers in every way a server can, and counts those that do not arrive.
 * Ways are taken in turn, so that each is met as often as any other.
 */
export async function soak({ pictures, seed }: SoakOptions): Promise<SoakRow[]> {
	const scratch = await mkdtemp(path.join(tmpdir(), 'easel-soak-'));
	const closing: (() => Promise<void>)[] = [];
	try {
		const worker = await bundleWorker();
		const samples = await drawSamples();
		const answerOf = (name: string) => samples.get(name)!;
		const certificate = await certificateFor(['localhost', '127.0.0.1']);
		const plain = await startEndingServer(answerOf, seeded);
		const secure = await startEndingServer(answerOf, seeded, certificate);
		closing.push(
			() => plain.close(),
			() => secure.close(),
		);
		// The worker inherits it: this is how a company's own authority is trusted.
		process.env['NODE_EXTRA_CA_CERTS'] = path.join(scratch, 'authority.pem');
		await writeFile(process.env['NODE_EXTRA_CA_CERTS'], certificate.cert);
		const ways = [
			...waysTo('direct', 'http', plain.port, endingNames(false)),
			...waysTo('TLS', 'https', secure.port, endingNames(true)),
		];
		if (hasNginx()) {
			const nginx = await startNginx(plain.port, certificate, path.join(scratch, 'nginx'));
			closing.push(() => nginx.close());
			// What nginx gets is what the server sends; how it ends its own answer is up to nginx.
			// One that gives interim answers is not understood by nginx 1.22.
			const whole = endingNames(false).filter((name) => !/before the last|interim/.test(name));
			ways.push(
				...waysTo('nginx', 'http', nginx.plainPort, whole),
				...waysTo('nginx with TLS', 'https', nginx.securePort, whole),
			);
		}

		const journal = new Journal(path.join(scratch, 'jobs'));
		const random = seeded(seed);
		let next = 0;
		const work = async () => {
			while (next < pictures) {
				const index = next++;
				const way = ways[index % ways.length]!;
				const name = [...samples.keys()][Math.floor(random() * samples.size)]!;
				const prompt = `${way.row.ending}|${name}|${String(seed + index)}`;
				const words = await make(prompt, samples.get(name)!.sha256, way.address, journal, worker);
				if (words === undefined) {
					way.row.received += 1;
				} else {
					way.row.lost += 1;
					way.row.words.add(words);
				}
			}
		};
		await Promise.all(Array.from({ length: atOnce }, work));
		return ways.map(({ row }) => row);
	} finally {
		delete process.env['NODE_EXTRA_CA_CERTS'];
		for (const close of closing.reverse()) {
			await close();
		}
		await rm(scratch, { recursive: true, force: true });
	}
}

/** Returns whether every picture has arrived. */
export function isSound(rows: readonly SoakRow[]): boolean {
	return rows.every(({ lost }) => lost === 0);
}

/** Formats the rows as a table. */
export function soakTable(rows: readonly SoakRow[]): string {
	const width = Math.max(...rows.map(({ ending }) => ending.length));
	const line = (way: string, ending: string, received: string, lost: string, words = '') =>
		`${way.padEnd(14)}  ${ending.padEnd(width)}  ${received.padStart(8)}  ${lost.padStart(4)}  ${words}`.trimEnd();
	const sum = (pick: (row: SoakRow) => number) =>
		String(rows.reduce((all, row) => all + pick(row), 0));
	return [
		line('way', 'end of the answer', 'received', 'lost'),
		...rows.map(({ way, ending, received, lost, words }) =>
			line(way, ending, String(received), String(lost), [...words].join(' / ')),
		),
		line(
			'all',
			'',
			sum(({ received }) => received),
			sum(({ lost }) => lost),
		),
	].join('\n');
}

/** The real worker, with the slow disk before it. */
function bundleWorker(): Promise<string> {
	return bundle(`import './test/campaigns/soak/slowDisk.ts'; import './src/jobs/worker.ts';`);
}

interface Sample {
	readonly body: Buffer;
	readonly tail: number;
	readonly sha256: string;
}

async function drawSamples(): Promise<Map<string, Sample>> {
	const icon = await readFile('media/icon.png');
	const tail = `","revised_prompt":"a harbor"}]}`;
	return new Map(
		everySize.map((mebibytes, index) => {
			const picture = padPng(icon, Math.round(mebibytes * 1024 * 1024) + index);
			const text = `{"created":1,"data":[{"b64_json":"${picture.toString('base64')}${tail}`;
			const sha256 = createHash('sha256').update(picture).digest('hex');
			return [String(index), { body: Buffer.from(text, 'latin1'), tail: tail.length - 1, sha256 }];
		}),
	);
}

function waysTo(way: string, scheme: string, port: number, names: readonly string[]) {
	return names.map((ending) => ({
		address: `${scheme}://localhost:${String(port)}`,
		row: { way, ending, received: 0, lost: 0, words: new Set<string>() } satisfies SoakRow,
	}));
}

/** Has one picture made. Returns what is said of it where it is not the one that was sent. */
async function make(
	prompt: string,
	sha256: string,
	address: string,
	journal: Journal,
	worker: string,
): Promise<string | undefined> {
	const entry = await journal.create(requestOf({ prompt }));
	await startWorker({
		script: worker,
		input: inputFor(
			entry,
			{ address, key: 'soak-key-33f1' },
			// One request, one picture: what is lost must not be hidden by asking once more.
			{ timeoutMs: 120_000, retry: 'never' },
		),
	});
	const end = await followJob(
		entry,
		new AbortController().signal,
		() => undefined,
		() => Promise.resolve(false),
	);
	await rm(entry.folder, { recursive: true });
	if (end.state === 'received') {
		return end.result.sha256 === sha256 ? undefined : 'another picture';
	}
	return end.state === 'failed' ? end.failure.message : end.state;
}
