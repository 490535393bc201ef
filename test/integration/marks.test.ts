import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readdir, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import * as vscode from 'vscode';
import type { GalleryImage } from '../../src/jobs/gallery.js';
import type { ImageRequest } from '../../src/jobs/request.js';
import type { Mark } from '../../src/images/marks.js';
import { markedPixels } from '../../src/images/marks/areas.js';
import { draftOf, requestToRegenerate, withOtherReferences } from '../../src/asking/draft.js';
import { getImage, Previews } from '../../src/features/agents/images.js';
import { restoreRest } from '../../src/generation/restoreRest.js';
import { originalOf } from '../../src/library/galleryLookup.js';
import { roundsOf, Lineage } from '../../src/library/rounds.js';
import { readProvenance } from '../../src/recipes/provenance.js';
import { fourColorJpeg } from '../formats/oddPictures.js';
import { rare } from '../host/rare.js';
import { until } from '../host/until.js';
import { drawPicture } from '../service/picture.js';
import type { EditManner } from '../service/editedPicture.js';
import type { ImageService } from '../service/server.js';
import { imageRequest } from './imageRequest.js';
import { closeService, openService } from './service.js';
import { ShownMessages } from './shownMessages.js';
import { Memory, partsIn } from './studioPage.js';
import { inRoot, remove, root, setSetting } from './workspace.js';

const marks: readonly Mark[] = [
	{
		...{ shape: 'rectangle', note: 'make this a red door' },
		...{ x: 0.38, y: 0.38, width: 0.24, height: 0.24 },
	},
];

suite('An edit with marks', () => {
	let service: ImageService;
	let storage: string;
	let parts: ReturnType<typeof partsIn>;
	let messages: ShownMessages;
	let press: string | undefined;

	setup(async () => {
		press = undefined;
		messages = new ShownMessages(['showInformationMessage', 'showWarningMessage'], (message) =>
			message.buttons.find((button) => button === press),
		);
		storage = await mkdtemp(path.join(tmpdir(), 'easel-marks-'));
		parts = partsIn(storage, new Memory());
		await mkdir(inRoot('marks'), { recursive: true });
		const picture = await drawPicture({
			...{ prompt: 'a harbor at sea', size: '1024x1024', references: [], small: true },
		});
		await writeFile(inRoot('marks/pier.png'), picture);
	});

	teardown(async () => {
		messages.dispose();
		parts.dispose();
		await closeService(service);
		await setSetting('easel.service.type', undefined);
		await setSetting('easel.service.model', undefined);
		await rm(storage, { recursive: true, maxRetries: 10, force: true });
		await remove('marks');
	});

	const uri = (name: string) => vscode.Uri.joinPath(root(), 'marks', name);
	const names = async () => (await readdir(inRoot('marks'))).sort();

	async function edit(
		manner: EditManner,
		fields: Partial<ImageRequest> = {},
	): Promise<readonly vscode.Uri[] | undefined> {
		service.faults.add({ edit: manner });
		return parts.generator.make([
			imageRequest('the door', {
				...{ operation: 'edit', marks, references: [{ source: uri('pier.png').toString() }] },
				target: { folder: uri('').toString(), root: root().toString(), stem: 'pier-door' },
				...fields,
			}),
		]);
	}

	async function pixelsOf(name: string) {
		const image = await loadImage(inRoot('marks', name));
		const { width, height } = image;
		const context = createCanvas(width, height).getContext('2d');
		context.drawImage(image, 0, 0);
		const { data } = context.getImageData(0, 0, width, height);
		return { width, height, pixels: new Uint32Array(data.buffer, data.byteOffset, width * height) };
	}

	/** Asserts that an image is the original outside of the marks, and red in their middle. */
	async function assertRestored(name: string): Promise<void> {
		const [before, after] = [await pixelsOf('pier.png'), await pixelsOf(name)];
		assert.deepEqual([after.width, after.height], [before.width, before.height]);
		const isMarked = markedPixels(marks, before);
		const other = before.pixels.findIndex(
			(pixel, at) => isMarked[at] === 0 && pixel !== after.pixels[at],
		);
		assert.equal(other, -1, 'an unmarked pixel is another one');
		const middle = after.pixels[512 * 1024 + 512]!;
		assert.ok(Math.abs((middle & 255) - 208) < 12, (middle >>> 0).toString(16));
	}

	test('is the original outside of them, also where the service has moved the picture', async () => {
		service = await openService();
		const saved = await edit('shift');
		const { fields, references } = service.requests.at(-1)!;
		assert.deepEqual(
			references.map(({ field, contentType }) => `${field} ${contentType}`),
			['image[] image/png', 'image[] image/jpeg'],
		);
		const prompt = String(fields.find(({ name }) => name === 'prompt')?.value);
		assert.match(prompt, /^the door\s+The second image is a copy .*\s+1 \(rectangle, 38–62 % from/);
		assert.deepEqual(await names(), ['pier-door-kept.png', 'pier-door.png', 'pier.png']);
		assert.deepEqual(saved?.map(String), [uri('pier-door-kept.png').toString()]);
		await assertRestored('pier-door-kept.png');
		await until(() => messages.all.length > 0, 'the message');
		assert.match(
			messages.reported.join(),
			/New draft of pier\.png .*pier-door-kept\.png\. Restored 94\s% of the picture; the service had moved it by 3\spx.* \| Compare \| Use New \| Use Whole Answer \| Discard/,
		);
		// The answer is an image of the round, the restored one its child, in whose place the original may go.
		const [restored, answer] = await parts.gallery.list();
		const rounds = roundsOf(await parts.gallery.list(), []);
		assert.deepEqual(
			rounds[0]?.slots.map(({ label }) => label),
			['1a', '1b'],
		);
		assert.equal(new Lineage(rounds).parentOf(rounds[0].slots[1]!)?.id, answer?.id);
		assert.equal(rounds[0].slots[1]?.restores, answer?.id);
		assert.equal(restored && originalOf(restored)?.toString(), uri('pier.png').toString());
		const { recipe } = await readProvenance(inRoot('marks/pier-door-kept.png'));
		assert.deepEqual(recipe?.parents, [{ sha256: answer?.sha256, path: 'pier-door.png' }]);
		assert.deepEqual(recipe.references[0]?.path, 'pier.png');
		assert.deepEqual(recipe.marks, marks);
		assert.ok(recipe.keptRest && Math.abs(recipe.keptRest.shift - 3) < 0.5);
		const previews = new Previews(path.join(storage, 'previews'), parts.pixelWorker);
		const { result } = await getImage(
			{ path: uri('pier-door-kept.png').toString() },
			previews,
			parts,
		);
		previews.dispose();
		assert.ok('marks' in result);
		assert.equal(result.marks_on, 'marks/pier.png');
		assert.deepEqual(
			result.marks?.map(({ number, note, left }) => [number, note, left]),
			[[1, 'make this a red door', 0.38]],
		);
	});

	rare(
		'is the original outside of them where it was repainted, or answered in another size',
		async () => {
			service = await openService();
			await edit('repaint');
			await assertRestored('pier-door-kept.png');
			service.faults.clear();
			await edit('rescale');
			await assertRestored('pier-door-1-kept.png');
			assert.equal((await pixelsOf('pier-door-1.png')).width, 922);
		},
	);

	rare('is the whole answer where the service has changed the framing', async () => {
		service = await openService();
		const saved = await edit('reframe');
		assert.deepEqual(saved?.map(String), [uri('pier-door.png').toString()]);
		assert.deepEqual(await names(), ['pier-door.png', 'pier.png']);
		await until(() => messages.all.length > 0, 'the message');
		assert.match(messages.texts.join(), /The service changed the framing, so the rest/);
	});

	rare('goes on with the whole answer by a button, which offers Undo', async () => {
		service = await openService();
		press = 'Use Whole Answer';
		await edit('shift');
		await until(async () => (await names()).length === 2, 'the restored image to be gone');
		const words = /The whole answer .*pier-door\.png\. \| Open File \| Use New \| Undo/;
		await until(() => messages.reported.some((text) => words.test(text)), 'the second message');
	});

	rare('is discarded with an Undo, also where its answer cannot be deleted', async () => {
		service = await openService();
		const { deletedImages } = parts;
		const remove = deletedImages.remove.bind(deletedImages);
		Object.assign(deletedImages, {
			remove: (image: GalleryImage) =>
				image.keptRest === undefined ? Promise.reject(new Error('in use')) : remove(image),
		});
		press = 'Discard';
		await edit('shift');
		await until(() => messages.reported.some((text) => /in use.* \| Undo$/.test(text)), 'Undo');
		assert.deepEqual(await names(), ['pier-door.png', 'pier.png']);
	});

	rare(
		'is restored again from its answer, once, and not where the original has changed',
		async () => {
			service = await openService();
			await edit('repaint');
			const [restored, answer] = await parts.gallery.list();
			assert.ok(restored && answer);
			const again = await restoreRest(answer, parts);
			assert.ok(again.type === 'restored' && again.image.id === restored.id);
			await unlink(inRoot('marks/pier-door-kept.png'));
			const anew = await restoreRest(answer, parts);
			assert.ok(anew.type === 'restored' && anew.image.id !== restored.id);
			await assertRestored('pier-door-kept.png');
			await unlink(inRoot('marks/pier-door-kept.png'));
			await writeFile(inRoot('marks/pier.png'), 'something else');
			const changed = await restoreRest(answer, parts);
			assert.ok(changed.type === 'whole' && changed.note?.includes('has moved or changed'));
		},
	);

	rare('is restored once by two clicks, and where a smaller copy was sent', async () => {
		service = await openService();
		await edit('repaint', { smallerReferences: true });
		assert.match(service.requests.at(-1)!.references[0]!.contentType, /webp/);
		const [restored, answer] = await parts.gallery.list();
		assert.ok(restored?.keptRest && answer);
		await unlink(inRoot('marks/pier-door-kept.png'));
		const [one, other] = await Promise.all([
			restoreRest(answer, parts),
			restoreRest(answer, parts),
		]);
		assert.ok(one.type === 'restored' && one === other);
		assert.deepEqual(await names(), ['pier-door-kept.png', 'pier-door.png', 'pier.png']);
		await assertRestored('pier-door-kept.png');
	});

	rare('is restored by the next window where this one ends before', async () => {
		service = await openService();
		await edit('shift');
		const { entries } = await parts.journal.list();
		const entry = entries.find(({ state }) => state.state === 'saved');
		assert.ok(entry?.state.state === 'saved');
		await unlink(inRoot('marks/pier-door-kept.png'));
		const next = partsIn(storage, new Memory());
		try {
			await next.generator.reportAgain(entry, entry.state);
			await assertRestored('pier-door-kept.png');
			await next.generator.reportAgain(entry, entry.state);
			assert.deepEqual(await names(), ['pier-door-kept.png', 'pier-door.png', 'pier.png']);
		} finally {
			next.dispose();
		}
	});

	rare('is refused before anything is sent where the image cannot be drawn on', async () => {
		service = await openService();
		await writeFile(inRoot('marks/pier.png'), fourColorJpeg(0));
		const errors = new ShownMessages(['showErrorMessage']);
		try {
			await edit('repaint');
			await until(() => errors.all.length > 0, 'the message');
			assert.match(errors.texts.join(), /is a CMYK image.* Nothing was sent\./);
		} finally {
			errors.dispose();
		}
		assert.equal(service.requests.length, 0);
	});

	rare('is asked for again with its marks, which go with the image that they are on', async () => {
		service = await openService();
		await edit('shift');
		const [restored, answer] = await parts.gallery.list();
		assert.ok(restored && answer);
		const references = [{ source: uri('pier.png').toString() }];
		for (const image of [restored, answer]) {
			const request = requestToRegenerate(vscode.Uri.parse(image.target), image);
			assert.deepEqual([request.marks, request.references], [marks, references]);
		}
		const draft = draftOf(requestToRegenerate(vscode.Uri.parse(answer.target), answer));
		const other = { source: uri('other.png').toString() };
		assert.deepEqual(withOtherReferences(draft, [...references, other]).marks, marks);
		assert.equal(withOtherReferences(draft, [other, ...references]).marks, undefined);
	});

	rare('is restored by the command, which says where there is nothing to restore', async () => {
		service = await openService();
		const { requests } = service;
		await edit('shift');
		const sent = requests.length;
		messages.clear();
		await vscode.commands.executeCommand('easel.keepRest', uri('pier.png'));
		await until(() => messages.all.length > 0, 'the message');
		assert.match(messages.texts.join(), /pier\.png was not made with marks/);
		await unlink(inRoot('marks/pier-door-kept.png'));
		messages.clear();
		await vscode.commands.executeCommand('easel.keepRest', uri('pier-door.png'));
		await until(() => messages.all.length > 0, 'the message');
		assert.match(messages.reported.join(), /Saved marks.pier-door-kept\.png\. Restored 94\s%/);
		await assertRestored('pier-door-kept.png');
		assert.equal(requests.length, sent, 'nothing is sent');
	});

	const says = (words: RegExp) => messages.texts.some((text) => words.test(text));

	rare('takes the place of its original, and says where the whole answer stays', async () => {
		service = await openService();
		await edit('shift');
		const restored = uri('pier-door-kept.png');
		messages.clear();
		// What it says of an image, it has read before.
		await vscode.commands.executeCommand('easel.keepRest', restored);
		await until(() => says(/pier-door-kept\.png already has the rest/), 'the message');
		const before = await readFile(inRoot('marks/pier.png'));
		messages.clear();
		press = 'Undo';
		await vscode.commands.executeCommand('easel.replaceImage', restored);
		const words =
			/^Replaced pier\.png with pier-door-kept\.png\..* The whole answer of the service: marks.pier-door\.png\.$/;
		await until(() => says(words), 'the message');
		const all = ['pier-door-kept.png', 'pier-door.png', 'pier.png'];
		await until(async () => (await names()).join() === all.join(), 'all as before');
		assert.ok(before.equals(await readFile(inRoot('marks/pier.png'))));
	});

	for (const [model, field] of [
		['gpt-image-2.5-flare', 'markup'],
		['gpt-image-2', 'mask'],
	] as const) {
		rare(`goes to OpenAI with a ${field}, by the model ${model}`, async () => {
			service = await openService({ manner: 'openai' });
			await setSetting('easel.service.type', 'openai');
			await setSetting('easel.service.model', model);
			await edit('shift');
			const request = service.requests.at(-1)!;
			assert.equal(request.status, 200);
			assert.deepEqual(
				request.references.map((one) => one.field),
				['image', field],
			);
			await assertRestored('pier-door-kept.png');
		});
	}
});
