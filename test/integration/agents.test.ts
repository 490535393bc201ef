import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { fileOfMonth } from '../../src/jobs/jsonLines.js';
import { AgentOperations } from '../../src/features/agents/operations.js';
import type { AgentServices } from '../../src/features/agents/wishRunner.js';
import { detectFormat, inspectImage } from '../../src/images/inspect.js';
import { writeState } from '../../src/jobs/jobFolder.js';
import type { ImageRequest } from '../../src/jobs/request.js';
import { Wishes, wishesFile } from '../../src/jobs/wishes.js';
import type { AgentApi } from '../../src/protocol/agentApi.js';
import {
	resultForAgent,
	type AgentAnswer,
	type AgentImage,
	type AgentJob,
	type AgentOffers,
} from '../../src/protocol/agents.js';
import { parseAgentText } from '../host/agentText.js';
import { until } from '../host/until.js';
import { atEnd } from './atEnd.js';
import { imageRequest } from './imageRequest.js';
import { fourColorJpeg } from '../formats/oddPictures.js';
import { AppliedEdits } from './appliedEdits.js';
import { drawPng } from './images.js';
import { service, useService } from './service.js';
import { ShownMessages, type ShownMessage } from './shownMessages.js';
import { Memory, partsIn } from './studioPage.js';
import { inRoot, remove, root, setSetting } from './workspace.js';
import { rare } from '../host/rare.js';

suite('Agents', () => {
	let shown: ShownMessages;
	/** Presses a button of the agent's question; the others stay as they are. */
	let answer: (message: ShownMessage) => string | undefined | Promise<string | undefined>;

	/** Presses a button of any other message. */
	let press: (message: ShownMessage) => string | undefined;

	useService();

	setup(() => {
		answer = () => 'Generate';
		press = () => undefined;
		shown = new ShownMessages(['showInformationMessage'], (message) =>
			isQuestion(message) ? answer(message) : press(message),
		);
	});

	teardown(async () => {
		service.faults.clear();
		await remove('images');
		await remove('docs');
		await remove('page.md');
		await remove('.easel');
		for (const setting of ['imagesPerDay', 'price']) {
			await setSetting(`easel.budget.${setting}`, undefined);
		}
	});

	const isQuestion = ({ buttons }: ShownMessage) => buttons.includes('Decline');
	const questions = () => shown.all.filter(isQuestion);

	async function invoke(tool: string, input: object): Promise<vscode.LanguageModelToolResult> {
		return vscode.lm.invokeTool(`easel_${tool}`, { input, toolInvocationToken: undefined });
	}

	/** Calls a tool and returns its answer. */
	async function call<T = AgentJob & { readonly error?: string }>(
		tool: string,
		input: object,
	): Promise<T> {
		const { content } = await invoke(tool, input);
		const [text] = content;
		assert.ok(text instanceof vscode.LanguageModelTextPart);
		return parseAgentText(text.value) as T;
	}

	const errorOf = async (tool: string, input: object) =>
		(await call<{ readonly error?: string }>(tool, input)).error ?? '';

	async function ended(job: string): Promise<AgentJob> {
		let found = await call('wait_for_image', { job, up_to_seconds: 20 });
		await until(async () => {
			if (found.state === 'running' || found.state === 'confirming') {
				found = await call('wait_for_image', { job, up_to_seconds: 20 });
			}
			return !['running', 'confirming'].includes(found.state);
		}, 'the job to end');
		return found;
	}

	type Parts = ReturnType<typeof partsIn>;

	/** Works with operations of its own, in a storage of its own, with services that a test changes. */
	async function inOwnStorage(
		change: (
			storage: string,
			parts: Parts,
		) => Partial<AgentServices> & Pick<AgentServices, 'wishes'>,
		work: (own: {
			/** Calls a tool that answers with a job. */
			readonly about: (tool: string, input: object) => Promise<AgentJob>;
			/** Operations of another window with the same storage. */
			readonly others: AgentOperations;
			readonly operations: AgentOperations;
			readonly parts: Parts;
			readonly storage: string;
		}) => Promise<void>,
	): Promise<void> {
		const storage = await mkdtemp(path.join(tmpdir(), 'easel-agents-'));
		const parts = partsIn(storage, new Memory());
		const otherParts = partsIn(storage, new Memory());
		const thumbnails = path.join(parts.extensionUri.fsPath, 'dist/thumbnails.js');
		const operations = new AgentOperations({ ...parts, ...change(storage, parts) }, thumbnails);
		const others = new AgentOperations({ ...otherParts, wishes: new Wishes(storage) }, thumbnails);
		try {
			await work({
				...{ operations, others, parts, storage },
				about: async (tool, input) => {
					const { result } = await operations.call(tool, input, { door: 'api' });
					assert.ok('state' in result, JSON.stringify(result));
					return result;
				},
			});
		} finally {
			service.releaseHeld();
			for (const one of [operations, others, parts, otherParts]) {
				one.dispose();
			}
			await rm(storage, { recursive: true, maxRetries: 10 });
		}
	}

	const wish = (change: object = {}) => ({
		request_key: crypto.randomUUID(),
		prompt: 'a pier at dusk, flat illustration',
		...change,
	});

	test('generate_image asks the user, answers with a job, and wait_for_image with the image', async () => {
		const begun = await call(
			'generate_image',
			wish({ size: '1536x1024', target: 'images/pier.png' }),
		);
		assert.ok(begun.state === 'confirming' || begun.state === 'running', begun.note);
		assert.deepEqual(begun.usually_seconds?.length, 2);
		assert.deepEqual(begun.budget.allowed_today, 0);
		const done = await ended(begun.job);
		const [question] = questions();
		assert.match(question!.text, /^An agent asks for 1 image \(1 paid request\): “a pier at dusk/);
		assert.match(question!.text, /1536x1024/);
		assert.match(question!.text, /images\/pier\.png/);
		assert.deepEqual(question!.buttons, ['Generate', 'Decline']);
		assert.equal(done.state, 'done', JSON.stringify(done));
		const [image] = done.images;
		assert.equal(image!.path, 'images/pier.png');
		const { width, height } = await inspectImage(inRoot('images', 'pier.png'));
		assert.deepEqual([image!.width, image!.height], [width, height]);
		assert.equal(image!.alt_text, 'a pier at dusk, flat illustration');

		const { content } = await invoke('wait_for_image', { job: begun.job });
		const [text, picture] = content;
		assert.ok(text instanceof vscode.LanguageModelTextPart);
		assert.ok(picture instanceof vscode.LanguageModelDataPart);
		assert.equal(picture.mimeType, 'image/jpeg');
		assert.equal(detectFormat(picture.data), 'jpeg');
		assert.ok(picture.data.length <= 200_000);
		assert.doesNotMatch(text.value, /base64|[A-Za-z0-9+/]{200}/);
	});

	test('sends nothing that is declined, and does not ask again', async () => {
		answer = () => 'Decline';
		const before = service.requests.length;
		const key = wish();
		const { job } = await call('generate_image', key);
		assert.equal((await ended(job)).state, 'declined');
		const again = await call('generate_image', key);
		assert.deepEqual([again.job, again.state], [job, 'declined']);
		assert.equal(questions().length, 1);
		assert.equal(service.requests.length, before);
	});

	test('makes one request and one file of a key that is used again, at once and later', async () => {
		const before = service.requests.length;
		const input = wish({ target: 'images/' });
		const all = await Promise.all([1, 2, 3, 4].map(() => call('generate_image', input)));
		assert.equal(new Set(all.map(({ job }) => job)).size, 1, JSON.stringify(all));
		await ended(all[0]!.job);
		// Arguments that hold anyway make no other wish.
		const implied = { count: 1, draft: false, references: [] };
		const later = await call('generate_image', { ...input, ...implied });
		assert.deepEqual([later.job, later.state], [all[0]!.job, 'done']);
		assert.equal(questions().length, 1);
		assert.equal(service.requests.length, before + 1);
		assert.equal((await readdir(inRoot('images'))).length, 1);
		const error = await errorOf('generate_image', { ...input, prompt: 'a boat' });
		assert.match(error, /is used by another call.*a pier.*a boat.*Nothing was bought/s);
	});

	rare('takes the same arguments without a key for the same request, and says so', async () => {
		const input = { prompt: `a crane ${crypto.randomUUID()}`, target: 'images/crane.png' };
		const first = await call('generate_image', input);
		await ended(first.job);
		const again = await call('generate_image', input);
		assert.equal(again.job, first.job);
		assert.match(again.note, /no request_key/);
	});

	rare('writes the link into a document that no editor shows, and saves it', async () => {
		await writeFile(inRoot('page.md'), '# Harbor\n\nOne.\n\nTwo.\n');
		const input = wish({
			insert_into: { document: 'page.md', line: 5 },
			target: 'images/',
			alt_text: 'The pier, seen from the sea',
		});
		const { job } = await call('generate_image', input);
		const done = await ended(job);
		assert.equal(done.state, 'done', JSON.stringify(done));
		const text = await readFile(inRoot('page.md'), 'utf8');
		const link = `![The pier, seen from the sea](${done.images[0]!.path})`;
		assert.equal(text, `# Harbor\n\nOne.\n\n${link}\n\nTwo.\n`);
		const error = await errorOf('generate_image', {
			...wish({ insert_into: { document: 'page.md', line: 90 } }),
		});
		assert.match(error, /page\.md has \d+ lines/);
	});

	rare('buys nothing that exists, or that a file may be', async () => {
		const before = service.requests.length;
		await vscode.workspace.fs.writeFile(
			vscode.Uri.file(inRoot('images', 'Pier Old.png')),
			await drawPng('p'),
		);
		assert.match(
			await errorOf('generate_image', wish({ target: 'images/Pier Old.png' })),
			/images\/Pier Old\.png exists\..*Nothing was bought/s,
		);
		assert.match(
			await errorOf('generate_image', wish({ target: 'docs/pier old.png' })),
			/images\/Pier Old\.png may be what is meant/,
		);
		assert.equal(questions().length, 0);
		assert.equal(service.requests.length, before);
	});

	test('shows the prompt of a stranger without its links', async () => {
		answer = () => 'Decline';
		const prompt = `a [fox](command:evil) $(zap)\n\nGenerate ${'x'.repeat(3000)}`;
		const { job } = await call('generate_image', wish({ prompt }));
		await ended(job);
		const [question] = questions();
		assert.doesNotMatch(question!.text, /\]\(|command:|\$\(/);
		assert.ok(question!.text.length < 1000);
		assert.deepEqual(question!.buttons, ['Generate', 'Show Prompt', 'Decline']);
	});

	test('cancel_image takes back what is not confirmed yet, whatever the user presses then', async () => {
		const before = service.requests.length;
		const pressed = Promise.withResolvers<string>();
		answer = () => pressed.promise;
		const { job } = await call('generate_image', wish());
		await until(() => questions().length === 1, 'the question');
		assert.equal((await call('cancel_image', { job })).state, 'cancelled');
		pressed.resolve('Generate');
		await until(
			() => shown.texts.some((text) => /cancelled this request/.test(text)),
			'the message',
		);
		assert.equal(service.requests.length, before);
	});

	test('cancel_image ends what runs', async () => {
		service.faults.add({ hold: true, times: 1 });
		const { job } = await call('generate_image', wish());
		await service.waitUntil(() => service.requests.some(({ held }) => held));
		const cancelled = await call('cancel_image', { job });
		service.releaseHeld();
		assert.equal(cancelled.state, 'cancelled', JSON.stringify(cancelled));
		assert.match(await errorOf('wait_for_image', { job: 'none' }), /does not know this job/);
	});

	rare(
		'does not call a job interrupted that ends during the look, and denies no request by an error',
		async () => {
			const ended = Promise.withResolvers<void>();
			let isSlow = false;
			/** A disk that answers when the job has ended; what it answers is older. */
			class SlowWishes extends Wishes {
				override async get(id: string) {
					const read = await super.get(id);
					await (isSlow ? ended.promise : undefined);
					return read;
				}
			}
			await inOwnStorage(
				(storage) => ({ wishes: new SlowWishes(storage) }),
				async ({ about, operations, parts, storage }) => {
					service.faults.add({ hold: true, times: 1 });
					const { job } = await about('generate_image', wish());
					await service.waitUntil(() => service.requests.some(({ held }) => held));
					isSlow = true;
					const looked = about('wait_for_image', { job, up_to_seconds: 20 });
					const cancelled = about('cancel_image', { job });
					parts.jobs.running[0]?.cancel();
					const file = new Wishes(storage);
					await until(async () => (await file.get(job))?.progress?.state === 'ended', 'the end');
					await until(
						async () => (await readdir(path.join(storage, 'wishes'))).length === 0,
						'its lease',
					);
					ended.resolve();
					assert.equal((await looked).state, 'cancelled', (await looked).note);
					assert.equal((await cancelled).state, 'cancelled', (await cancelled).note);

					await rm(fileOfMonth(path.join(storage, wishesFile), new Date()));
					await mkdir(fileOfMonth(path.join(storage, wishesFile), new Date()));
					const { result } = await operations.call('wait_for_image', { job }, { door: 'api' });
					assert.match(JSON.stringify(result), /E[A-Z]+.*found again, not bought twice/);
					assert.doesNotMatch(JSON.stringify(result), /Nothing was bought/);
				},
			);
		},
	);

	rare(
		'cancel_image holds after the user has said yes, before and while it goes into the journal',
		async () => {
			/** `cancel_image` looks at the wish twice before it cancels; then it looks for the end. */
			class WatchedWishes extends Wishes {
				readonly #cancelled = Promise.withResolvers<void>();
				#looks = 0;

				override get(id: string) {
					this.#looks += 1;
					if (this.#looks === 3) {
						this.#cancelled.resolve();
					}
					return super.get(id);
				}

				/** Resolves when what is cancelled from now on is cancelled. */
				untilCancelled() {
					this.#looks = 0;
					return this.#cancelled.promise;
				}
			}
			const asked = Promise.withResolvers<void>();
			const answered = Promise.withResolvers<void>();
			const before = service.requests.length;
			let wishes: WatchedWishes;
			await inOwnStorage(
				(storage, { styles }) => ({
					wishes: (wishes = new WatchedWishes(storage)),
					// The question about a style guide that stays open for a while.
					styles: Object.assign(Object.create(styles) as typeof styles, {
						isSettled: (folder?: vscode.Uri) => styles.isSettled(folder),
						apply: async (requests: readonly ImageRequest[]) => {
							asked.resolve();
							await answered.promise;
							return styles.apply(requests);
						},
					}),
				}),
				async ({ about }) => {
					const { job } = await about('generate_image', wish());
					await asked.promise;
					const cancelling = wishes.untilCancelled();
					const cancelled = about('cancel_image', { job });
					await cancelling;
					answered.resolve();
					assert.equal((await cancelled).state, 'cancelled', (await cancelled).note);
					assert.equal(service.requests.length, before);
					// It was never accepted: an answer that comes later than any caller waits sends nothing.
					assert.equal((await wishes.get(job))?.progress?.state, 'cancelled');
				},
			);

			const accepted = Promise.withResolvers<void>();
			const noted = Promise.withResolvers<void>();
			class SlowWishes extends WatchedWishes {
				override async note(...[wish, change]: Parameters<Wishes['note']>) {
					await super.note(wish, change);
					if (change.state === 'accepted') {
						accepted.resolve();
						await noted.promise;
					}
				}
			}
			await inOwnStorage(
				(storage) => ({ wishes: (wishes = new SlowWishes(storage)) }),
				async ({ about }) => {
					service.faults.add({ hold: true, times: 1 });
					const { job } = await about('generate_image', wish());
					await accepted.promise;
					const cancelling = wishes.untilCancelled();
					const cancelled = about('cancel_image', { job });
					await cancelling;
					noted.resolve();
					assert.equal((await cancelled).state, 'cancelled', (await cancelled).note);
				},
			);
		},
	);

	rare('answers a failure in the words that the user reads', async () => {
		service.faults.add({ status: 402, times: 1 });
		const { job } = await call('generate_image', wish());
		const failed = await ended(job);
		assert.equal(failed.state, 'failed');
		assert.match(failed.failures.join(' '), /402/);
		assert.match(failed.failures.join(' '), /not charged/);
	});

	rare('an edit lies beside its image, and drafts are of low quality', async () => {
		await vscode.workspace.fs.writeFile(
			vscode.Uri.file(inRoot('images', 'boat.png')),
			await drawPng('p'),
		);
		const { request_key, prompt: instruction } = wish();
		const edit = await call('edit_image', { request_key, instruction, image: 'images/boat.png' });
		const done = await ended(edit.job);
		assert.match(done.images[0]!.path, /^images\/boat-.*\.png$/, JSON.stringify(done));
		const { job } = await call(
			'generate_image',
			wish({ draft: true, count: 2, target: 'images/' }),
		);
		const drafts = await ended(job);
		assert.equal(drafts.images.length, 2);
		assert.match(questions().at(-1)!.text, /2 images \(2 paid requests\).*low quality/);
	});

	test('says of an image of print what it is, as a reference and where a preview is wanted', async () => {
		await mkdir(inRoot('images'), { recursive: true });
		await writeFile(inRoot('images', 'print.jpg'), fourColorJpeg(0));
		const { note: why } = await call<{ note: string }>('get_image', { path: 'images/print.jpg' });
		assert.match(why, /^images\/print\.jpg: .* is a CMYK image, .* Convert it to RGB/);
		const begun = await call('generate_image', wish({ references: ['images/print.jpg'] }));
		assert.match(begun.note, /images\/print\.jpg is a CMYK image, .* Convert it to RGB\./);
		await ended(begun.job);
	});

	test('check_images lists what the check finds, and set_alt_text refuses a line without an image', async () => {
		await writeFile(inRoot('page.md'), '# A\n\n![](https://example.com/a.png)\n');
		const { findings } = await call<{ findings: object[] }>('check_images', {
			folder: 'page.md',
		});
		assert.deepEqual(findings, [
			{
				...{ document: 'page.md', line: 3, rule: 'alt-missing' },
				image: 'https://example.com/a.png',
			},
		]);
		const texts = [{ line: 1, text: 'A pier' }];
		const { error } = await call('set_alt_text', { document: 'page.md', texts });
		assert.match(error ?? '', /Line 1 has no image/);
	});

	rare(
		'check_images goes by the settings file of a folder, and says what is wrong in it',
		async () => {
			await mkdir(inRoot('docs', 'static'), { recursive: true });
			await mkdir(inRoot('.easel'));
			await writeFile(inRoot('docs', 'static', 'den.png'), Buffer.alloc(2000));
			await writeFile(inRoot('docs', 'a.md'), '![A den](/den.png)\n');
			await writeFile(
				inRoot('.easel', 'check.json'),
				JSON.stringify({ publicFolder: 'docs/static', maxKilobytes: 1, maxSize: 1 }),
			);
			const { findings, note } = await call<{ findings: object[]; note: string }>(
				'check_images',
				{},
			);
			assert.deepEqual(findings, [
				{ document: 'docs/a.md', line: 1, rule: 'image-weight', image: 'docs/static/den.png' },
			]);
			assert.match(note, /check\.json has a mistake.*“maxSize”/);
			const words = await call<{ note: string }>('check_images', { rule: 'words' });
			assert.match(words.note, /The rule words asks a language model of the user/);
		},
	);

	rare(
		'set_alt_text writes nothing before the user has seen it, and nothing outside of the workspace',
		async () => {
			const outside = await mkdtemp(path.join(tmpdir(), 'easel-outside-'));
			const edits = new AppliedEdits(false);
			atEnd(() => rm(outside, { recursive: true, maxRetries: 10, force: true }));
			const text = '![](https://example.com/a.png)\n';
			const document = path.join(outside, 'a.md');
			await writeFile(document, text);
			await mkdir(inRoot('docs'), { recursive: true });
			await writeFile(inRoot('docs', 'a.md'), text);
			await symlink(document, inRoot('docs', 'link.md'));
			const texts = [{ line: 1, text: 'A pier' }];
			for (const wrong of [document, 'docs/link.md', '../a.md']) {
				const error = await errorOf('set_alt_text', { document: wrong, texts });
				assert.match(error, /outside|leads out/i, wrong);
			}
			assert.equal(edits.ended, undefined);
			const { note } = await call<{ note: string }>('set_alt_text', {
				document: 'docs/a.md',
				texts,
			});
			assert.match(note, /The user sees 1 alt text in a preview/);
			assert.deepEqual(edits.previewed, [true]);
			let isApplied: boolean | undefined;
			void edits.ended!.then((done) => {
				isApplied = done;
			});
			// Only the preview takes the command.
			await until(async () => {
				await vscode.commands.executeCommand('refactorPreview.discard');
				return isApplied !== undefined;
			}, 'the preview to be discarded');
			assert.equal(isApplied, false);
			const open = await vscode.workspace.openTextDocument(inRoot('docs', 'a.md'));
			assert.equal(open.getText(), text);
		},
	);

	test('list_images, get_image, find_missing_images and get_budget cost nothing', async () => {
		const prompt = `a pier at dusk, ${'with boats and ropes, '.repeat(30)}flat illustration`;
		const target = 'images/harbor.png';
		const { job } = await call('generate_image', wish({ target, prompt }));
		await ended(job);
		const before = service.requests.length;
		const { images } = await call<{ images: { path: string; prompt: string }[] }>('list_images', {
			query: 'harbor dusk',
		});
		assert.equal(images[0]?.path, target);
		// Whole it is in `get_image`: a list of fifty would be too long for many clients.
		assert.match(images[0].prompt, /^a pier at dusk.{180,190}…$/);
		assert.deepEqual(Object.keys(images[0]), ['path', 'width', 'height', 'prompt', 'made_at']);
		const { content } = await invoke('get_image', { path: 'images/harbor.png' });
		assert.equal(content.length, 2);
		assert.match(
			(content[0] as vscode.LanguageModelTextPart).value,
			/"prompt":"a pier at dusk.*flat illustration"/,
		);
		await writeFile(inRoot('page.md'), '# A\n\n![The crane](images/crane-at-work.png)\n');
		const { missing } = await call<{ missing: object[] }>('find_missing_images', {
			folder: 'page.md',
		});
		assert.deepEqual(missing, [
			{
				...{ document: 'page.md', line: 3, link: 'images/crane-at-work.png' },
				...{ target: 'images/crane-at-work.png', alt_text: 'The crane', near: [] },
			},
		]);
		const { budget, offers } = await call<{ budget: object; offers: AgentOffers }>(
			'get_budget',
			{},
		);
		assert.ok('allowed_today' in budget);
		assert.deepEqual(
			[offers.service, offers.qualities],
			['Standard image service', ['low', 'high']],
		);
		assert.equal(offers.sizes.length, 10);
		await setSetting('easel.service.type', 'openai');
		try {
			const asked = { prompt: 'A crane', size: '1000 × 1000' };
			const { error } = await call<{ error: string }>('generate_image', asked);
			assert.match(
				error,
				/^OpenAI does not offer .* multiples of 16\. The nearest one is 1008x1008\./,
			);
			const { offers: others } = await call<{ offers: AgentOffers }>('get_budget', {});
			assert.match(others.other_sizes!, /^multiples of 16, .* 655,360 to 8,294,400 pixels/);
		} finally {
			await setSetting('easel.service.type', undefined);
		}
		assert.equal(service.requests.length, before);
	});

	test('an export is linked in the place of its image, which the answer names too', async () => {
		await writeFile(inRoot('page.md'), '# A\n');
		const { job } = await call(
			'generate_image',
			wish({
				...{ target: 'images/mole.png', format: 'webp', width: '320', max_kb: 60 },
				insert_into: { document: 'page.md' },
			}),
		);
		const {
			images: [image],
		} = await ended(job);
		assert.equal(image?.path, 'images/mole.png');
		assert.equal(image.exported?.path, 'images/mole.webp');
		assert.equal(image.exported.width, 320);
		assert.ok(image.exported.bytes <= 60_000);
		assert.match(await readFile(inRoot('page.md'), 'utf8'), /\(images\/mole\.webp\)/);
		// Exactly so, free, and the same for the same call.
		const before = service.requests.length;
		const icon = { image: 'images/mole.png', format: 'png', width: 256, height: 256 };
		type Exported = { image: AgentImage; error?: string };
		for (let time = 0; time < 2; time++) {
			const { exported } = (await call<Exported>('export_image', icon)).image;
			assert.equal(exported?.path, 'images/mole-256x256.png');
			const { width, height } = await inspectImage(inRoot(exported.path));
			assert.deepEqual([width, height], [256, 256]);
		}
		const { error } = await call<Exported>('export_image', { ...icon, max_kb: 1 });
		assert.match(error ?? '', /There is no export: .* still has /);
		assert.equal(service.requests.length, before);
	});

	rare('an export that the user discards goes with its link, and leaves its original', async () => {
		await writeFile(inRoot('newt.md'), '# A\n');
		press = ({ buttons }) => buttons.find((button) => button === 'Discard');
		const { job } = await call(
			'generate_image',
			wish({
				...{ target: 'images/newt.png', format: 'webp', width: '320' },
				insert_into: { document: 'newt.md' },
			}),
		);
		await ended(job);
		const said = () => shown.texts.find((text) => text.includes('was discarded'));
		await until(() => said() !== undefined, 'the export to be discarded');
		assert.match(said()!, /^newt\.webp was discarded; its original stays: images\/newt\.png\./);
		assert.ok((await inspectImage(inRoot('images/newt.png'))).width > 320);
		await assert.rejects(inspectImage(inRoot('images/newt.webp')));
		const document = await vscode.workspace.openTextDocument(inRoot('newt.md'));
		await until(() => !document.getText().includes('newt'), 'the link to go');
		await document.save();
		await remove('newt.md');
		// It is not made anew for the answer.
		assert.equal((await ended(job)).images[0]?.exported, undefined);
	});

	rare('missing images come in pages that no client cuts', async () => {
		const links = Array.from(
			{ length: 200 },
			(_, at) => `![A crane ${String(at)} ${'鹤'.repeat(60)}](images/${String(at)}.png)`,
		);
		await writeFile(inRoot('page.md'), `${links.join('\n\n')}\n\n![A logo](/theme/logo.png)\n`);
		type Page = { missing: { link: string; target?: string; note?: string }[]; next?: number };
		const all: Page['missing'] = [];
		let from: number | undefined = 0;
		while (from !== undefined) {
			const page: Page = await call<Page>('find_missing_images', { folder: 'page.md', from });
			assert.ok(Buffer.byteLength(JSON.stringify(page)) < 8000);
			all.push(...page.missing);
			from = page.next;
		}
		assert.deepEqual(
			all.map(({ link }) => link),
			[...links.map((_, at) => `images/${String(at)}.png`), '/theme/logo.png'],
		);
		// It may be there, so there is no target for it.
		assert.equal(all.at(-1)?.target, undefined);
		assert.match(all.at(-1)?.note ?? '', /slash/);
	});

	rare(
		'images come in pages that no client cuts, in the order in which they were made',
		async () => {
			await mkdir(inRoot('images'));
			const names = Array.from({ length: 50 }, (_, at) => `images/${String(100 - at)}.png`);
			await inOwnStorage(
				(storage) => ({ wishes: new Wishes(storage) }),
				async ({ operations, parts }) => {
					for (const [at, name] of names.entries()) {
						await writeFile(inRoot(name), '');
						await parts.gallery.restore({
							...{ id: crypto.randomUUID(), target: vscode.Uri.file(inRoot(name)).toString() },
							savedAt: new Date(Date.now() - at * 1000).toISOString(),
							...{ prompt: 'a pier with ropes 画 '.repeat(30), altText: 'A pier '.repeat(90) },
							...{ operation: 'generate', size: '1024x1024', width: 1024, height: 1024, bytes: 9 },
							...{ references: [], referenceHashes: [], workspaceFolder: root().toString() },
						});
					}
					const listed: string[] = [];
					let from: number | undefined = 0;
					while (from !== undefined) {
						const answer = await operations.call('list_images', { from }, { door: 'mcp' });
						const { result } = answer;
						assert.ok('images' in result && !('job' in result), JSON.stringify(result));
						assert.ok(Buffer.byteLength(JSON.stringify(resultForAgent(answer))) < 8000);
						listed.push(...result.images.map((image) => image.path));
						from = result.next;
					}
					assert.deepEqual(listed, names);
				},
			);
		},
	);

	rare('paths of a call and of its answer begin at its workspace', async () => {
		const workspace = inRoot('docs');
		await mkdir(inRoot('docs', 'guide'), { recursive: true });
		await writeFile(inRoot('docs', 'guide', 'a.md'), '# A\n\n![The crane](crane-at-work.png)\n');
		await mkdir(inRoot('images'));
		await writeFile(inRoot('images', 'boat.png'), await drawPng('b'));
		type Found = AgentJob & { readonly workspace: string; readonly error?: string };
		const input = wish({ workspace, target: 'guide/pier.png', references: ['images/boat.png'] });
		const { job, error } = await call<Found>('generate_image', {
			...input,
			insert_into: { document: 'guide/a.md', line: 1 },
		});
		assert.equal(error, undefined);
		await ended(job);
		const done = await call<Found>('wait_for_image', { job, workspace });
		assert.deepEqual([done.state, done.workspace], ['done', workspace], done.note);
		assert.equal(done.images[0]!.path, 'guide/pier.png');
		assert.ok(await readFile(inRoot('docs', 'guide', 'pier.png')));
		assert.match(await readFile(inRoot('docs', 'guide', 'a.md'), 'utf8'), /\]\(pier\.png\)/);

		const { image } = await call<{ image: { path: string } }>('get_image', {
			...{ workspace, path: 'images/boat.png' },
		});
		assert.equal(image.path, inRoot('images', 'boat.png'));
		const { missing } = await call<{ missing: { document: string; target: string }[] }>(
			'find_missing_images',
			{ workspace, folder: 'guide' },
		);
		assert.deepEqual(
			missing.map(({ document, target }) => [document, target]),
			[['guide/a.md', 'guide/crane-at-work.png']],
		);

		const elsewhere = path.join(path.dirname(root().fsPath), 'elsewhere');
		const refusal = await errorOf('generate_image', wish({ workspace: elsewhere }));
		assert.ok(refusal.includes(elsewhere) && refusal.includes(root().fsPath), refusal);
		assert.equal((await call<Found>('get_budget', {})).workspace, root().fsPath);
	});

	rare('answers the exported API in the same way, and names its caller', async () => {
		answer = () => 'Decline';
		const extension = vscode.extensions.getExtension<AgentApi>('easel.easel')!;
		const api = await extension.activate();
		assert.equal(api.version, 1);
		const listed = await api.callTool('list_images', {}, 'Docs Helper');
		assert.ok('untrusted' in listed.result && 'images' in listed.result.untrusted);
		const { result } = await api.callTool('generate_image', wish(), 'Docs Helper [x](command:y)');
		assert.ok('job' in result);
		await ended(result.job);
		assert.match(questions()[0]!.text, /^Docs Helper \[x\]/);
		assert.doesNotMatch(questions()[0]!.text, /\]\(/);
	});

	rare('does not advise to ask again for an image that the user has discarded', async () => {
		const before = service.requests.length;
		press = ({ buttons }) => buttons.find((button) => button === 'Discard');
		const input = wish({ target: 'images/unwanted.png' });
		const { job } = await call('generate_image', input);
		const now = () => call('generate_image', input);
		let found = await now();
		await until(async () => {
			found = await now();
			return found.state === 'done' && found.images.length === 0;
		}, 'the image to be discarded');
		assert.match(found.note, /deleted it since. Do not ask for it again/);
		assert.equal(found.job, job);
		assert.ok(shown.texts.some((text) => /unwanted\.png/.test(text)));
		assert.equal(service.requests.length, before + 1);
	});

	rare(
		'never calls an arrived image failed while it is saved, and never advises to ask again',
		async () => {
			const [job, caller] = [crypto.randomUUID(), { door: 'api' } as const];
			let wishes: Wishes;
			await inOwnStorage(
				(storage) => ({ wishes: (wishes = new Wishes(storage)) }),
				async ({ about: ask, parts }) => {
					const about = () => ask('wait_for_image', { job, up_to_seconds: 0 });
					const wanted = { tool: 'generate_image', input: {}, count: 1, caller };
					await wishes.claim({
						id: job,
						scope: [root().fsPath],
						key: job,
						identity: job,
						...wanted,
					});
					service.faults.add({ hold: true, times: 1 });
					const making = parts.generator.makeAllowed([imageRequest('a fox')], job, () =>
						Promise.resolve(),
					);
					await service.waitUntil(() => service.requests.some(({ held }) => held));
					await writeFile(inRoot('images'), '');
					service.releaseHeld();
					await making;
					await remove('images');
					const unsaved = await about();
					assert.equal(unsaved.state, 'failed', unsaved.note);
					assert.match(unsaved.failures[0] ?? '', /has arrived, but could not be saved/);
					assert.match(unsaved.note, /already paid for/);
					assert.doesNotMatch(unsaved.note, /request_key/);

					// As it lies on the disk before the first try to save it, whichever window is at it.
					const [image] = parts.jobs.unsaved;
					assert.ok(image);
					const received = { ...image.state, problem: undefined, error: undefined };
					await writeState(image.entry.folder, received);
					parts.jobs.forget(image.entry.request.id);
					const saving = await about();
					assert.equal(saving.state, 'running', saving.note);

					await parts.generator.actOnUnsaved('saveAgain', { ...image, state: received });
					assert.equal((await about()).state, 'done');
				},
			);
		},
	);

	/** The texts of answers: the ids of jobs, and errors. */
	const answersOf = async (calls: readonly Promise<AgentAnswer>[]) => {
		const results = (await Promise.all(calls)).map(({ result }) => result);
		return {
			jobs: results.flatMap((result) => ('state' in result ? result.job : [])),
			errors: results.flatMap((result) => ('error' in result ? result.error : [])),
		};
	};

	test('buys one image for several keys of one target, at once and in two windows', async () => {
		await setSetting('easel.budget.imagesPerDay', 10);
		const before = service.requests.length;
		service.faults.add({ hold: true, times: 1 });
		await inOwnStorage(
			(storage) => ({ wishes: new Wishes(storage) }),
			async ({ operations, others }) => {
				const ask = (window: AgentOperations, key: string, target = 'images/hero.png') =>
					window.call('generate_image', wish({ request_key: key, target }), { door: 'mcp' });
				const { jobs, errors } = await answersOf([
					ask(operations, 'hero'),
					ask(operations, 'hero-image', './images/hero.png'),
					ask(others, 'Hero', 'images/Hero.png'),
					ask(others, 'hero2'),
				]);
				assert.equal(jobs.length, 1, errors.join());
				for (const error of errors) {
					assert.match(error, /images\/hero\.png is being made already, by job /i);
					assert.match(error, /wait_for_image.*Nothing was bought/);
					assert.ok(error.includes(jobs[0]!), error);
				}
				await service.waitUntil(() => service.requests.some(({ held }) => held));
				const late = await answersOf([ask(others, 'late'), ask(operations, 'later')]);
				assert.equal(late.errors.filter((error) => error.includes(jobs[0]!)).length, 2);
				service.releaseHeld();
				await operations.call('wait_for_image', { job: jobs[0] }, { door: 'mcp' });
				const [error = ''] = (await answersOf([ask(others, 'afterwards')])).errors;
				// The winner may be the one that has named it by a capital letter.
				assert.match(error, /images\/hero\.png (?:exists|may be what is meant)/i);
			},
		);
		assert.equal(questions().length, 0);
		assert.equal(service.requests.length, before + 1);
	});

	rare('buys no target for an agent that the user has requested in another window', async () => {
		const before = service.requests.length;
		service.faults.add({ hold: true, times: 1 });
		await inOwnStorage(
			(storage) => ({ wishes: new Wishes(storage) }),
			async ({ others, parts }) => {
				const request = imageRequest('a fox');
				const making = parts.generator.make([request]);
				await service.waitUntil(() => service.requests.some(({ held }) => held));
				const target = `images/${request.target.stem}.png`;
				const { result } = await others.call('generate_image', wish({ target }), { door: 'mcp' });
				assert.match(JSON.stringify(result), /being made already.*an agent has not asked for it/);
				service.releaseHeld();
				await making;
			},
		);
		assert.equal(questions().length, 0);
		assert.equal(service.requests.length, before + 1);
	});

	rare('asks once about a target, which is free when that is declined', async () => {
		const pressed = Promise.withResolvers<string>();
		answer = () => pressed.promise;
		const before = service.requests.length;
		const ask = (key: string) =>
			call('generate_image', wish({ request_key: key, target: 'images/hero.png' }));
		const { job, state } = await ask('hero asked');
		assert.equal(state, 'confirming');
		const { error = '' } = await ask('hero again');
		assert.ok(error.includes(job), error);
		assert.equal(questions().length, 1);
		pressed.resolve('Decline');
		assert.equal((await ended(job)).state, 'declined');
		// Its key was not used up by the refusal.
		answer = () => 'Generate';
		assert.equal((await ended((await ask('hero again')).job)).state, 'done');
		assert.equal(service.requests.length, before + 1);
	});

	rare(
		'asks about a prompt that is being made already, where its target does not decide',
		async () => {
			await setSetting('easel.budget.imagesPerDay', 10);
			const before = service.requests.length;
			service.faults.add({ hold: true, times: 1 });
			answer = () => 'Decline';
			await inOwnStorage(
				(storage) => ({ wishes: new Wishes(storage) }),
				async ({ operations, others }) => {
					const ask = (window: AgentOperations, change: object) =>
						window.call('generate_image', wish(change), { door: 'mcp' });
					const first = await answersOf([ask(operations, {})]);
					const again = await answersOf([
						ask(others, { alt_text: 'A pier' }),
						ask(operations, { target: 'images/' }),
					]);
					assert.equal(new Set([...first.jobs, ...again.jobs]).size, 3, again.errors.join());
					for (const job of again.jobs) {
						const { result } = await others.call('wait_for_image', { job }, { door: 'mcp' });
						assert.equal((result as AgentJob).state, 'declined');
					}
					// Another image passes by the budget.
					await ask(others, { prompt: 'a boat', target: 'images/boat.png' });
					await service.waitUntil(() => service.requests.length === before + 2);
				},
			);
			assert.deepEqual(
				questions().map(({ text }) => /the same image is being made already/.test(text)),
				[true, true],
			);
			assert.equal(service.requests.length, before + 2);
		},
	);

	rare('asks about a prompt that was made a moment ago under another key', async () => {
		await setSetting('easel.budget.imagesPerDay', 10);
		const before = service.requests.length;
		answer = () => 'Decline';
		await inOwnStorage(
			(storage) => ({ wishes: new Wishes(storage) }),
			async ({ about }) => {
				const make = async (change: object = {}) => {
					const { job } = await about('generate_image', wish(change));
					return (await about('wait_for_image', { job })).state;
				};
				assert.equal(await make(), 'done');
				assert.equal(await make(), 'declined');
				assert.equal(await make({ request_key: undefined, alt_text: 'A pier' }), 'declined');
				// A draft was a look at the direction, and a named file is wanted for itself.
				assert.equal(await make({ quality: 'high' }), 'done');
				assert.equal(await make({ target: 'images/other.png' }), 'done');
			},
		);
		assert.deepEqual(
			questions().map(({ text }) => /same image was made in the last 30 minutes/.test(text)),
			[true, true],
		);
		assert.equal(service.requests.length, before + 3);
	});

	rare('goes on asking when the question is dismissed, and sends the agent away', async () => {
		answer = () => undefined;
		await inOwnStorage(
			(storage) => ({ wishes: new Wishes(storage) }),
			async ({ about, parts }) => {
				const { job } = await about('generate_image', wish());
				const look = () => about('wait_for_image', { job, up_to_seconds: 0 });
				const looks = [await look(), await look()];
				assert.deepEqual(
					looks.map(({ state, note }) => [state, /end your turn/.test(note)]),
					[
						['confirming', false],
						['confirming', true],
					],
				);
				await until(() => questions().length === 1, 'the question');
				const [open] = parts.questions.all;
				const asked = new ShownMessages(['showWarningMessage'], () => 'Generate');
				await open!.show().finally(() => asked.dispose());
				assert.equal((await about('wait_for_image', { job })).state, 'done');
				assert.doesNotMatch((await about('wait_for_image', { job })).note, /end your turn/);
			},
		);
	});

	rare('links the first of several images that arrives, and shows and names that one', async () => {
		await writeFile(inRoot('page.md'), '# Harbor\r\n');
		const alt = 'The pier, seen from the sea';
		const input = { count: 3, target: 'images/pier.png', alt_text: alt };
		const place = { insert_into: { document: 'page.md' } };
		service.faults.add({ hold: true, times: 1 });
		const { job } = await call('generate_image', wish({ ...input, ...place }));
		await until(async () => (await readFile(inRoot('page.md'), 'utf8')).includes(']('), 'a link');
		service.releaseHeld();
		const done = await ended(job);
		assert.match(
			questions()[0]!.text,
			/saved as images\/pier-1\.png, images\/pier-2\.png and images\/pier-3\.png · link of the first to arrive in page\.md/,
		);
		const [first, ...others] = done.images;
		assert.equal(others.length, 2);
		assert.equal(
			await readFile(inRoot('page.md'), 'utf8'),
			`# Harbor\r\n\r\n![${alt}](${first!.path})\r\n`,
		);
		assert.ok(done.note.includes(`Only ${path.basename(first!.path)} is linked`), done.note);
		const { image } = await call<{ image: { alt_text: string } }>('get_image', {
			path: others[0]!.path,
		});
		assert.equal(image.alt_text, alt);
		const { images } = await call<{ images: { alt_text: string }[] }>('list_images', {});
		assert.equal(images[0]!.alt_text, alt);
	});

	rare('reports images without a question with their price, and discards them', async () => {
		await setSetting('easel.budget.imagesPerDay', 3);
		await setSetting('easel.budget.price', { currency: 'EUR', image: 0.04 });
		await setSetting('easel.output.afterSaving', 'nothing');
		press = ({ buttons }) => (buttons.includes('Discard') ? 'Discard' : undefined);
		const reports = () => shown.reported.filter((one) => /made|discarded/.test(one));
		try {
			await inOwnStorage(
				(storage) => ({ wishes: new Wishes(storage) }),
				async ({ operations }) => {
					const { result } = await operations.call(
						'generate_image',
						wish({ count: 2, target: 'images/' }),
						{ door: 'mcp', name: 'claude-code' },
					);
					assert.ok('job' in result, JSON.stringify(result));
					await operations.call('wait_for_image', { job: result.job }, { door: 'mcp' });
					await until(() => reports().length === 2, 'the images to be discarded');
				},
			);
		} finally {
			await setSetting('easel.output.afterSaving', undefined);
		}
		const [made = '', discarded] = reports();
		assert.match(
			made,
			/^claude-code made 2 images \(about €0\.08\): images\/\S+\.png and images\/\S+\.png · 1 of 3 left today\./,
		);
		assert.match(made, /\| Show \| Discard$/);
		assert.equal(discarded, '2 images were discarded. | Undo');
		assert.deepEqual(await readdir(inRoot('images')), []);
		assert.equal(questions().length, 0);
	});

	rare(
		'puts a new style guide into the one question, which says that the budget covers it',
		async () => {
			const modal = new ShownMessages(['showWarningMessage']);
			await setSetting('easel.budget.imagesPerDay', 10);
			await mkdir(inRoot('.easel'));
			const short = 'Flat illustration,\ntwo colors.';
			const long = 'Woodcut, thick lines. '.repeat(20);
			try {
				await inOwnStorage(
					(storage) => ({ wishes: new Wishes(storage) }),
					async ({ about }) => {
						const make = async () => {
							const prompt = `a pier ${crypto.randomUUID()}`;
							const { job } = await about('generate_image', wish({ prompt, target: 'images/' }));
							return (await about('wait_for_image', { job })).state;
						};
						await writeFile(inRoot('.easel', 'style.md'), short);
						assert.equal(await make(), 'done');
						assert.equal(await make(), 'done');
						assert.equal(questions().length, 1, 'the second image is covered by the budget');
						await writeFile(inRoot('.easel', 'style.md'), long);
						answer = ({ buttons: [first] }) => first;
						assert.equal(await make(), 'done');
						const { fields = [] } = service.requests.at(-1) ?? {};
						assert.match(JSON.stringify(fields), /Style:.*Woodcut, thick lines/);
					},
				);
				assert.deepEqual(modal.texts, []);
			} finally {
				modal.dispose();
			}
			const [first, unseen, seen] = questions();
			assert.match(
				first!.text,
				/ · style \.easel\/style\.md \(new: “Flat illustration, two colors\.”\) · 10 of 10 left today · your budget covers it, but the style guide is new to you$/,
			);
			assert.deepEqual(first!.buttons, ['Generate', 'Without Style', 'Decline']);
			assert.deepEqual(unseen!.buttons, ['Show Prompt', 'Without Style', 'Decline']);
			assert.deepEqual(seen!.buttons, ['Generate', 'Show Prompt', 'Without Style', 'Decline']);
		},
	);

	rare(
		'asks with the reason where the budget is unknown, and makes a confirmed image',
		async () => {
			await setSetting('easel.budget.imagesPerDay', 5);
			await inOwnStorage(
				(storage) => ({ wishes: new Wishes(storage) }),
				async ({ about, storage }) => {
					await mkdir(fileOfMonth(path.join(storage, 'ledger.jsonl'), new Date()));
					const { job, budget } = await about('generate_image', wish({ target: 'images/' }));
					assert.match(budget.problem ?? '', /budget cannot be read.*EISDIR/i);
					assert.equal((await about('wait_for_image', { job })).state, 'done');
				},
			);
			assert.match(questions()[0]!.text, /budget cannot be read.*EISDIR/i);
		},
	);

	rare('reports the error that ends a wish to agent and user, and frees its key', async () => {
		const errors = new ShownMessages(['showErrorMessage']);
		let isFull = true;
		class FullDisk extends Wishes {
			override note(...[wish, change]: Parameters<Wishes['note']>) {
				return isFull
					? Promise.reject(Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' }))
					: super.note(wish, change);
			}
		}
		await inOwnStorage(
			(storage) => ({ wishes: new FullDisk(storage) }),
			async ({ about }) => {
				const input = wish({ target: 'images/' });
				const { job } = await about('generate_image', input);
				const failed = await about('wait_for_image', { job });
				assert.equal(failed.state, 'failed');
				assert.match(failed.failures.join(), /disk is full/i);
				assert.match(failed.note, /Nothing was sent.*same request_key/);
				assert.doesNotMatch(failed.note, /window/);
				assert.match(errors.texts.join(), /ENOSPC|disk is full/);
				isFull = false;
				const again = await about('generate_image', input);
				assert.equal((await about('wait_for_image', { job: again.job })).state, 'done');
			},
		).finally(() => errors.dispose());
	});

	rare('names in the question the document that is changed, and the alt text', async () => {
		answer = () => 'Decline';
		await writeFile(inRoot('page.md'), '# Harbor\n');
		const input = wish({ insert_into: { document: 'page.md' }, alt_text: 'The [pier](x)' });
		await ended((await call('generate_image', input)).job);
		assert.match(questions()[0]!.text, /link in page\.md · alt text “The \[pier\]/);
		assert.doesNotMatch(questions()[0]!.text, /\]\(/);
	});

	rare(
		'lets 20 wishes at most wait for the user, and refuses more than 200 calls a minute',
		async () => {
			const pressed = Promise.withResolvers<string>();
			answer = () => pressed.promise;
			const all = await Promise.all(
				Array.from({ length: 220 }, () => call('generate_image', wish({ target: 'images/' }))),
			);
			const jobs = all.flatMap(({ job }) => job ?? []);
			const errors = all.flatMap(({ error }) => error ?? []);
			assert.ok(jobs.length <= 20, String(jobs.length));
			assert.ok(errors.some((error) => /wait for the user already/.test(error)));
			assert.ok(errors.some((error) => /within a minute/.test(error)));
			await until(() => questions().length > 0, 'the question');
			assert.equal(questions().length, 1);
			pressed.resolve('Decline');
			answer = () => 'Decline';
			await until(() => questions().length === jobs.length, 'all to be declined');
			assert.ok(root());
		},
	);
});
