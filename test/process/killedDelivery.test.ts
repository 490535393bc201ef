import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { candidateNames } from '../../src/images/fileName.js';
import { recipeWriter } from '../../src/generation/recipeWriter.js';
import {
	deliver,
	type DeliverServices,
	type Destination,
	type Recipes,
} from '../../src/jobs/deliver.js';
import { diskDestination } from '../../src/jobs/diskDestination.js';
import { Journal } from '../../src/jobs/journal.js';
import { readState, writeState, type JobEntry } from '../../src/jobs/jobFolder.js';
import type { GenerationRequest } from '../../src/jobs/request.js';
import { readProvenance } from '../../src/recipes/provenance.js';
import { resultOf } from '../unit/jobs/results.js';
import { requestOf } from '../unit/jobs/support.js';
import { caBX, inFolder, picture, png } from '../unit/recipes/pngs.js';
import { sha256OfBytes } from './support.js';
import { logTo } from '../../src/log.js';

/** Steps of a window for an image, in order; the window can end before and after each. */
const most = 16;

suite('A window that ends while it delivers an image', () => {
	for (const [provenance, bytes, files] of [
		['inImage', png(), ['harbor.png']],
		['besideImage', png(), ['harbor.png', 'harbor.png.json']],
		['inImage', png(caBX), ['harbor.png', 'harbor.png.json']],
		['none', png(), ['harbor.png']],
	] as const) {
		const signed = bytes.includes('caBX') ? ', signed' : '';
		test(`leaves it to the next one, which delivers it once: ${provenance}${signed}`, async () => {
			for (let endsAt = 1; endsAt <= most; endsAt += 1) {
				await inFolder(async (at) => {
					const workspace = at('workspace');
					await mkdir(workspace);
					const entry = await received(at('jobs'), provenance, bytes);
					const first = window(workspace, entry, endsAt);
					await Promise.race([first.delivered, first.ended]);
					const { state } = await readState(entry.folder);
					if (state !== 'saved') {
						await window(workspace, entry, Infinity).delivered;
					}
					const saved = await readState(entry.folder);
					assert.ok(saved.state === 'saved', saved.state);
					const where = `ended at ${String(endsAt)}`;
					assert.deepEqual((await readdir(workspace)).sort(), files, where);
					const image = at('workspace/harbor.png');
					assert.deepEqual(picture(await readFile(image)), picture(bytes), where);
					const found = await readProvenance(image);
					assert.equal(found.recipe !== undefined, provenance !== 'none', where);
					assert.equal(found.isOfOther, false, where);
					assert.equal(saved.recipe?.where, found.where, where);
					assert.equal(saved.result.bytes, (await readFile(image)).length, where);
				});
			}
		}).timeout(30_000);
	}
});

async function received(
	root: string,
	provenance: GenerationRequest['provenance'],
	bytes: Buffer,
): Promise<JobEntry> {
	const request = requestOf({ provenance });
	const entry = await new Journal(root).create(request);
	const file = `${entry.folder}/image`;
	await writeFile(file, bytes);
	const sha256 = sha256OfBytes(bytes);
	await writeState(entry.folder, {
		state: 'received',
		attempts: [],
		changedAt: '2026-01-01T00:00:00.000Z',
		result: resultOf({ file, bytes: bytes.length, sha256 }),
	});
	return { ...entry, state: await readState(entry.folder) };
}

/** @param endsAt the number of the moment, from 1, from which on nothing happens in it any more */
function window(
	workspace: string,
	entry: JobEntry,
	endsAt: number,
): { delivered: Promise<unknown>; ended: Promise<void> } {
	const ending = Promise.withResolvers<void>();
	let moment = 0;
	const pass = async (): Promise<void> => {
		moment += 1;
		if (moment >= endsAt) {
			ending.resolve();
			await new Promise(() => undefined);
		}
	};
	const mortal =
		<A extends unknown[], T>(task: (...args: A) => Promise<T>) =>
		async (...args: A): Promise<T> => {
			await pass();
			const result = await task(...args);
			await pass();
			return result;
		};
	const recipes = recipeWriter('1.2.3');
	const disk = diskDestination(workspace, {
		names: () => candidateNames('harbor.png'),
		id: entry.request.id,
		toUri: (file) => pathToFileURL(file).href,
		toPath: fileURLToPath,
	});
	const services: DeliverServices = {
		recipes: {
			...recipes,
			embed: mortal((...args: Parameters<Recipes['embed']>) => recipes.embed(...args)),
			writeApart: mortal((...args: Parameters<Recipes['writeApart']>) =>
				recipes.writeApart(...args),
			),
		},
		gallery: { add: mortal(() => Promise.resolve()) },
	};
	const destination: Destination = {
		find: mortal((...args: Parameters<Destination['find']>) => disk.find(...args)),
		put: mortal((...args: Parameters<Destination['put']>) => disk.put(...args)),
		putBeside: mortal((...args: Parameters<Destination['putBeside']>) => disk.putBeside(...args)),
		holds: mortal((...args: Parameters<Destination['holds']>) => disk.holds(...args)),
		tidy: mortal(() => disk.tidy()),
	};
	logTo({
		error: (what, error) => {
			queueMicrotask(() => assert.fail(`${what}: ${String(error)}`));
		},
	});
	assert.ok(entry.state.state === 'received');
	return { delivered: deliver(entry, entry.state, services, destination), ended: ending.promise };
}
