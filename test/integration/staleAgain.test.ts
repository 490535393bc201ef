import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { registerRequestCommand } from '../../src/asking/requestCommands.js';
import { againLease, now, readState, type JobEntry } from '../../src/jobs/jobFolder.js';
import { leaseFile } from '../../src/jobs/leaseFiles.js';
import { persistState } from '../../src/jobs/persistState.js';
import type { JobAction } from '../../src/protocol/studioModel.js';
import { until } from '../host/until.js';
import type { Fault } from '../service/faults.js';
import { drawPicture } from '../service/picture.js';
import { service, useService } from './service.js';
import { ShownMessages } from './shownMessages.js';
import { contextIn, Memory, partsIn, StudioPage } from './studioPage.js';
import { storage, useStorage } from './storage.js';
import { inRoot, remove, setSetting } from './workspace.js';
import { rare } from '../host/rare.js';
import type { ImageRequest } from '../../src/jobs/request.js';
import { imageRequest } from './imageRequest.js';

const nothingSent = 'This was already retried or dismissed. Nothing was sent.';
/** Not repeated without a click. */
const overloaded: Fault = { status: 503, message: 'Overloaded.' };
const refused: Fault = { status: 400, message: 'Not this one.' };

suite('What has failed is sent again once,', () => {
	let memory: Memory;
	let messages: ShownMessages;
	/** The messages that stand in the bell, each with what presses a button of it. */
	let inBell: { readonly buttons: readonly string[]; readonly press: (label: string) => void }[];
	/** True where questions about the money are answered with yes. */
	let isWilling: boolean;
	/** Answers them otherwise. */
	let onQuestion: (() => Promise<string | undefined>) | undefined;
	/** Things that a test has opened, closed at its end. */
	const open: vscode.Disposable[] = [];

	useService();
	useStorage();

	setup(async () => {
		await setSetting('easel.service.retry', 'never');
		memory = new Memory();
		inBell = [];
		isWilling = true;
		messages = new ShownMessages(
			['showErrorMessage', 'showInformationMessage', 'showWarningMessage'],
			({ buttons, modal }) =>
				modal
					? onQuestion !== undefined
						? onQuestion()
						: isWilling
							? buttons[0]
							: undefined
					: new Promise((press) => {
							inBell.push({ buttons, press });
						}),
		);
	});

	teardown(async () => {
		await setSetting('easel.service.retry', undefined);
		service.faults.clear();
		vscode.Disposable.from(...open.splice(0).reverse()).dispose();
		await remove('images');
		await remove('large');
	});

	/** A window: the parts as the extension makes them, over the storage of all windows. */
	function start() {
		const parts = partsIn(storage, memory);
		open.push(parts, new vscode.Disposable(() => void parts.leases.dispose()));
		return parts;
	}

	type Window = ReturnType<typeof start>;

	function requestFor(prompt: string, references: readonly vscode.Uri[] = []): ImageRequest {
		return imageRequest(prompt, {
			operation: references.length > 0 ? 'edit' : 'generate',
			references: references.map((uri) => ({ source: uri.toString() })),
		});
	}

	/** A fox and a dog that have failed together, reported in one message, which stays in the bell. */
	async function fail(
		window: Window,
		fault: Fault = refused,
		references?: readonly vscode.Uri[],
		others: readonly string[] = [],
	): Promise<{ readonly fox: JobEntry; readonly dog: JobEntry }> {
		const prompts = ['a fox', 'a dog', ...others];
		service.faults.add({ ...fault, times: prompts.length });
		await window.generator.make(prompts.map((prompt) => requestFor(prompt, references)));
		const entryOf = (prompt: string) =>
			window.jobs.failed.find(({ entry }) => entry.request.prompt === prompt)?.entry;
		const [fox, dog] = [entryOf('a fox'), entryOf('a dog')];
		assert.ok(fox && dog);
		service.faults.clear();
		return { fox, dog };
	}

	/** As many images as Retry asks about before it sends them. */
	const many = Array.from({ length: 9 }, (_, index) => `a bird ${String(index)}`);

	/** Presses a button of the oldest message that has it. */
	function press(label: string): void {
		const message = inBell.find(({ buttons }) => buttons.includes(label));
		assert.ok(message, `${label}: ${messages.reported.join('\n')}`);
		message.press(label);
	}

	/** Opens the studio and does this on the card of a job. */
	async function inStudio(window: Window, action: JobAction, ...entries: readonly JobEntry[]) {
		const page = new StudioPage(window, contextIn(storage, memory));
		try {
			await page.ask({ type: 'ready' });
			for (const { request } of entries) {
				await page.ask({ type: 'job', id: request.id, action });
				await until(
					() => window.jobs.failed.every(({ entry }) => entry.request.id !== request.id),
					'the failure to go',
				);
			}
			await until(() => window.jobs.running.length === 0, 'what was sent to end');
		} finally {
			page.dispose();
		}
	}

	/** Returns the prompts that the service gets while something is done, when all of it has ended. */
	async function sentWhile(
		window: Window,
		task: () => unknown,
		isDone: () => boolean,
	): Promise<string[]> {
		const before = service.requests.length;
		await task();
		await until(isDone, 'what follows');
		await until(() => window.jobs.running.length === 0, 'what was sent to end');
		return service.requests
			.slice(before)
			.map(({ fields }) => String(fields.find(({ name }) => name === 'prompt')?.value))
			.sort();
	}

	const saysNothingSent = () => messages.texts.includes(nothingSent);

	/** True where none of these is listed as failed any more. */
	const areGone = (window: Window, entries: readonly JobEntry[]) => () =>
		window.jobs.failed.every(({ entry }) =>
			entries.every(({ request }) => request.id !== entry.request.id),
		);

	/** The prompts of the requests that the user is asked to change from now on. */
	function whatIsChanged(): readonly string[] {
		const changed: string[] = [];
		const changing = registerRequestCommand('change', 'generate', ({ prompt }) => {
			changed.push(prompt);
			return Promise.resolve();
		});
		open.push(changing);
		return changed;
	}

	for (const action of ['again', 'dismiss', 'change'] as const) {
		rare(
			`by an old message only what the studio has not dealt with meanwhile: ${action}`,
			async () => {
				const window = start();
				const { fox, dog } = await fail(window, overloaded);
				const [button = ''] = inBell[0]?.buttons ?? [];
				await inStudio(window, action, fox);
				const sent = await sentWhile(window, () => press(button), areGone(window, [fox, dog]));
				assert.deepEqual(sent, ['a dog']);
				assert.ok(!saysNothingSent());
			},
		);
	}

	suite('whichever button of the old message is pressed:', () => {
		rare('Change Request, where none is left', async () => {
			const window = start();
			const { fox, dog } = await fail(window);
			await inStudio(window, 'dismiss', fox, dog);
			const changed = whatIsChanged();
			press('Change Request…');
			await until(saysNothingSent, 'the answer');
			assert.deepEqual(changed, []);
		});

		rare('Retry (May Be Charged Twice)', async () => {
			const window = start();
			const { fox } = await fail(window);
			const [attempt] = (await readState(fox.folder)).attempts;
			assert.ok(attempt);
			const interrupted = {
				...({ state: 'interrupted', charge: 'unknown' } as const),
				...{ attempts: [{ number: 1, startedAt: attempt.startedAt }], changedAt: now() },
			};
			await persistState(fox.folder, interrupted);
			await window.generator.reportAgain(fox, interrupted);
			const label = 'Retry (May Be Charged Twice)';
			const isReported = () => inBell.some(({ buttons }) => buttons.includes(label));
			await until(isReported, 'the message');
			await inStudio(window, 'again', fox);
			assert.deepEqual(await sentWhile(window, () => press(label), saysNothingSent), []);
		});
	});

	rare('and of what may have been made, only what is left is asked about', async () => {
		const window = start();
		const { fox, dog } = await fail(window);
		for (const { folder } of [fox, dog]) {
			await until(
				async () => (await readState(folder)).notified === true,
				'it to be noted as notified',
			);
			const state = await readState(folder);
			assert.ok(state.state === 'failed');
			const failure = { ...state.failure, charge: 'unknown', unknownOutcome: true } as const;
			await persistState(folder, { ...state, failure });
		}
		await inStudio(window, 'dismiss', fox);
		const again = () => window.generator.act('again', [fox, dog]);
		assert.deepEqual(await sentWhile(window, again, areGone(window, [dog])), ['a dog']);
		assert.deepEqual(
			messages.all.filter(({ modal }) => modal).map(({ text }) => text),
			['Retry this image?'],
		);
	});

	rare('also where two presses come at once', async () => {
		const window = start();
		const { fox, dog } = await fail(window);
		const both = () =>
			Promise.all([
				window.generator.act('again', [fox, dog]),
				window.generator.act('again', [dog, fox]),
			]);
		assert.deepEqual(await sentWhile(window, both, saysNothingSent), ['a dog', 'a fox']);
	});

	rare('also where another window has dealt with it, and its card goes', async () => {
		const [one, other] = [start(), start()];
		const { fox, dog } = await fail(one);
		for (const failed of one.jobs.failed) {
			other.jobs.addFailed(failed.entry, failed.state);
		}
		await one.generator.act('again', [fox]);
		await one.generator.act('dismiss', [dog]);
		const again = () => other.generator.act('again', [fox, dog]);
		assert.deepEqual(await sentWhile(other, again, saysNothingSent), []);
		assert.deepEqual(other.jobs.failed, []);
	});

	rare(
		'also where two windows send it at once; the one that gives it up leaves it to the other',
		async () => {
			const [one, other] = [start(), start()];
			const { fox, dog } = await fail(one, refused, undefined, many);
			for (const failed of one.jobs.failed) {
				other.jobs.addFailed(failed.entry, failed.state);
			}
			await setSetting('easel.service.confirmCalls', undefined);
			const asked = () => messages.all.filter(({ modal }) => modal).length;
			const busy = 'Another window is already retrying this. Nothing was sent.';
			let answer: (label: string | undefined) => void = () => undefined;
			onQuestion = () => new Promise((resolve) => (answer = resolve));
			try {
				const all = one.jobs.failed.map(({ entry }) => entry);
				const again = one.generator.act('again', all);
				await until(() => asked() === 1, 'the question');
				const isBusy = () => messages.texts.includes(busy);
				assert.deepEqual(
					await sentWhile(other, () => other.generator.act('again', [fox]), isBusy),
					[],
				);
				answer(undefined);
				await again;
			} finally {
				onQuestion = undefined;
				await setSetting('easel.service.confirmCalls', 'never');
			}
			assert.deepEqual(
				await sentWhile(other, () => other.generator.act('again', [fox]), areGone(other, [fox])),
				['a fox'],
			);
			messages.clear();
			const both = () =>
				Promise.all([one.generator.act('again', [dog]), other.generator.act('again', [dog])]);
			const isReported = () => messages.texts.includes(busy) || saysNothingSent();
			assert.deepEqual(await sentWhile(other, both, isReported), ['a dog']);
		},
	);

	rare('and not where it cannot be read whether it was; it can be sent later', async () => {
		const window = start();
		const { fox, dog } = await fail(window);
		const state = path.join(fox.folder, 'state.json');
		const aside = path.join(storage, 'state.json');
		await until(
			async () => (await readState(fox.folder)).notified === true,
			'it to be noted as notified',
		);
		await rename(state, aside);
		await mkdir(state);
		const again = () => window.generator.act('again', [fox, dog]);
		const sent = await sentWhile(window, again, areGone(window, [dog]));
		assert.deepEqual(sent, ['a dog']);
		const why =
			'Easel could not check whether “a fox” was already retried, so it was not sent. Try again.';
		assert.ok(messages.texts.includes(why), messages.texts.join('\n'));
		assert.ok(!saysNothingSent());
		await rm(state, { recursive: true, maxRetries: 10 });
		await rename(aside, state);
		assert.deepEqual(
			window.jobs.failed.map(({ entry }) => entry.request.prompt),
			['a fox'],
		);
		assert.deepEqual(await sentWhile(window, again, areGone(window, [fox])), ['a fox']);
	});

	rare('and not where it is unknown whether another window does so just now', async () => {
		const window = start();
		const { fox, dog } = await fail(window);
		// Of a process that has not written its lease yet, or will never.
		const lease = leaseFile(fox.folder, againLease, 1);
		await writeFile(lease, '');
		const again = () => window.generator.act('again', [fox, dog]);
		assert.deepEqual(await sentWhile(window, again, areGone(window, [dog])), ['a dog']);
		const why =
			'Easel could not check whether “a fox” was already retried, so it was not sent. Try again.';
		assert.ok(messages.texts.includes(why), messages.texts.join('\n'));
		await rm(lease);
		assert.deepEqual(await sentWhile(window, again, areGone(window, [fox])), ['a fox']);
	});

	rare('and stays where it cannot even be asked for, so that it can be sent later', async () => {
		const window = start();
		await mkdir(inRoot('large'));
		const [there, elsewhere] = [inRoot('large', 'r.png'), path.join(storage, 'r.png')];
		await writeFile(
			there,
			await drawPicture({ prompt: 'p', size: '1024x1024', references: [], small: true }),
		);
		const { fox, dog } = await fail(window, refused, [vscode.Uri.file(there)]);
		await rename(there, elsewhere);
		const again = () => window.generator.act('again', [fox, dog]);
		const isReported = () => messages.texts.some((text) => text.includes('r.png'));
		messages.clear();
		assert.deepEqual(await sentWhile(window, again, isReported), []);
		assert.deepEqual(
			new Set(window.jobs.failed.map(({ entry }) => entry.request.id)),
			new Set([fox.request.id, dog.request.id]),
		);
		assert.notEqual((await readState(fox.folder)).dismissed, true);
		await rename(elsewhere, there);
		const sent = await sentWhile(window, again, areGone(window, [fox, dog]));
		assert.deepEqual(sent, ['a dog', 'a fox']);
	});

	rare('and can be sent after a question that was answered with no', async () => {
		const window = start();
		const { fox, dog } = await fail(window, refused, undefined, many);
		const all = window.jobs.failed.map(({ entry }) => entry);
		await setSetting('easel.service.confirmCalls', undefined);
		isWilling = false;
		try {
			const isAsked = () => messages.all.some(({ modal }) => modal);
			const again = () => window.generator.act('again', all);
			assert.deepEqual(await sentWhile(window, again, isAsked), []);
		} finally {
			await setSetting('easel.service.confirmCalls', 'never');
			isWilling = true;
		}
		const again = () => window.generator.act('again', [fox, dog]);
		const sent = await sentWhile(window, again, areGone(window, [fox, dog]));
		assert.deepEqual(sent, ['a dog', 'a fox']);
		assert.ok(!saysNothingSent());
	});
});
