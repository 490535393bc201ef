import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { fileOfMonth } from '../../src/jobs/jsonLines.js';
import { moneyFor, readPrices } from '../../src/editor/money.js';
import { receiveAnswer } from '../../src/models/languageModels.js';
import { SettingError } from '../../src/editor/settings.js';
import { showSpending } from '../../src/features/spending/index.js';
import { until } from '../host/until.js';
import { atEnd } from './atEnd.js';
import { storage, useStorage } from './storage.js';
import { imageRequest } from './imageRequest.js';
import { acceptingQuickInputs, closingQuickInputs } from './questions.js';
import { QuickPicks } from './quickPicks.js';
import { closeService, openService } from './service.js';
import { ShownMessages } from './shownMessages.js';
import { ShownProgress } from './shownProgress.js';
import { Memory, partsIn } from './studioPage.js';
import { remove, setSetting, writeWorkspaceSettings } from './workspace.js';
import { rare } from '../host/rare.js';

const settings = ['imagesPerDay', 'price'].map((name) => `easel.budget.${name}`);

suite('Spending', () => {
	let picks: QuickPicks;
	let messages: ShownMessages;
	let memory: Memory;
	let parts: ReturnType<typeof partsIn>;

	useStorage();

	setup(() => {
		picks = new QuickPicks();
		messages = new ShownMessages(['showErrorMessage', 'showWarningMessage']);
		memory = new Memory();
		parts = partsIn(storage, memory);
	});

	teardown(async () => {
		parts.dispose();
		await parts.leases.dispose();
		for (const setting of settings) {
			await setSetting(setting, undefined);
		}
		await remove('images');
	});

	/** The rows that are shown; headings have none of the rest. */
	async function shown(): Promise<string[]> {
		const showing = showSpending(parts);
		const { items } = await picks.shown(/Show Spending/);
		await closingQuickInputs(showing);
		return items.map(({ kind, label, description, detail }) =>
			kind === vscode.QuickPickItemKind.Separator
				? `# ${label}`
				: [label.replace(/^\$\([\w-]+\) /, ''), description, detail].filter(Boolean).join(' | '),
		);
	}

	const writeLines = (...lines: object[]) =>
		writeFile(
			fileOfMonth(path.join(storage, 'ledger.jsonl'), new Date()),
			lines.map((line) => `\n${JSON.stringify({ format: 1, ...line })}`).join(''),
		);

	const line = (change: object = {}) => ({
		...{ time: new Date().toISOString(), request: crypto.randomUUID(), kind: 'image' },
		...{ size: '1024x1024', origin: 'user', sent: 1, outcome: 'made', ...change },
	});

	test('has words where nothing was sent, and says that agents have no budget', async () => {
		assert.deepEqual(await shown(), [
			'Set Prices… | to see money beside each number of requests',
			'Nothing was sent yet.',
			'# Budget of Agents',
			'You confirm each image that an agent or another extension requests | change in the settings',
		]);
	});

	test('is shown by who has asked, with money, and with the way out of a used-up balance', async () => {
		const refused = line({ outcome: 'rejected', status: 402 });
		const earlier = { time: new Date(Date.parse(refused.time) - 1).toISOString() };
		await writeLines(
			...[line(earlier), line({ outcome: 'unknown', sent: 4, alsoUnknown: 3 })],
			line({ ...earlier, origin: 'mcp' }),
			line({ ...earlier, origin: 'mcp', outcome: 'charged' }),
			...[line({ kind: 'words', size: undefined }), refused],
		);
		await setSetting('easel.budget.price', { currency: 'EUR', image: 0.04 });
		await setSetting('easel.budget.imagesPerDay', 10);
		await parts.budget.reserve(crypto.randomUUID(), 2);
		const rows = await shown();
		assert.match(rows[1] ?? '', /^The balance of your key was used up \(402\) \| .*\d/);
		assert.equal(rows[0], '# Balance');
		assert.equal(rows[2], 'Use Another Key | or top up the balance at your service');
		assert.deepEqual(rows.slice(3, 9), [
			'Set Prices… | €0.04 an image',
			'# Today',
			'Together | 9 requests · €0.12 to €0.28 without words | 2 images made · 1 answer · 1 probably charged without a result · 4 more may have been charged',
			'You | 6 requests · €0.04 to €0.20 | 1 image made · 4 more may have been charged',
			'Agents by MCP | 2 requests · about €0.08 | 1 image made · 1 probably charged without a result',
			'Words | 1 request | 1 answer',
		]);
		assert.deepEqual(rows.slice(-2), [
			'# Budget of Agents',
			'2 of 10 images used today | change in the settings',
		]);
	});

	rare('has the line of a refusal while that is still listed', async () => {
		const service = await openService();
		atEnd(() => closeService(service));
		service.faults.add({ status: 402, times: 1 });
		await parts.generator.make([imageRequest('a fox')]);
		await until(async () => (await parts.ledger.spending()).length > 0, 'the line');
		const [spent] = await parts.ledger.spending();
		assert.deepEqual([spent?.outcome, spent?.status], ['rejected', 402]);
		assert.equal(parts.jobs.failed.length, 1);
		assert.ok((await shown()).includes('You | 1 request | 0 images made'));
	});

	rare(
		'has each attempt of a language model, whose progress shows the wait between them',
		async () => {
			const service = await openService();
			const shownWords = new Set<string>();
			new ShownProgress((_, words) => {
				shownWords.add(words);
				return false;
			});
			atEnd(() => closeService(service));
			atEnd(() => setSetting('easel.words.model', undefined));
			atEnd(() => setSetting('easel.words.provider', undefined));
			await setSetting('easel.words.provider', 'chat');
			await setSetting('easel.words.model', 'words-1');
			await memory.update('languageModels.seen', true);
			service.faults.add({ status: 503, times: 1, endpoint: 'chat' });
			service.modelReplies.push('A quiet harbor');
			const title = 'Improve Prompt';
			const task = { title, verb: title, summary: '', instructions: '', text: 'A harbor' };
			const send = await acceptingQuickInputs(parts.models.ask(task));
			assert.equal(send && (await receiveAnswer(title, send)), 'A quiet harbor');
			assert.ok(shownWords.has('The service failed (503). Retrying in 3 s.'));
			await until(async () => (await parts.ledger.spending()).length > 0, 'the line');
			const [spent] = await parts.ledger.spending();
			assert.deepEqual([spent?.kind, spent?.sent, spent?.outcome], ['words', 2, 'made']);
		},
	);

	rare('is shown without money where the prices are wrong, which is said', async () => {
		await writeLines(line());
		await setSetting('easel.budget.price', { currency: 'EUR', wide: 0.04 });
		assert.throws(readPrices, SettingError);
		assert.equal(moneyFor({ size: '1024x1024' }, 1), undefined);
		assert.ok((await shown()).includes('You | 1 request | 1 image made'));
		assert.match(
			messages.texts.join(),
			/setting easel\.budget\.price has an invalid value: “wide” is not known/,
		);
	});

	rare(
		'has prices that are asked for as its first entry, and is shown with them after Done',
		async () => {
			await writeLines(line());
			const price = () => vscode.workspace.getConfiguration('easel').get('budget.price');
			const showing = showSpending(parts);
			await picks.shown(/Show Spending/);
			await picks.accept();
			const currency = await picks.shown(/currency/);
			const euro = currency.items.find(({ label }) => label === 'EUR')!;
			currency.activeItems = [euro];
			await until(() => currency.activeItems[0] === euro, 'the Euro to be in front');
			await picks.accept();
			const image = await picks.askedForText();
			assert.equal(image.prompt, 'What your service charges for each image, in EUR');
			image.value = 'four cents';
			await picks.accept();
			await until(() => image.validationMessage !== undefined, 'what is wrong');
			assert.equal(image.validationMessage, '“four cents” is not a price, such as 0.04.');
			assert.equal(price(), null, 'nothing is written yet');
			image.value = '0,04';
			await picks.accept();
			const list = await picks.shown(/Saved in your user settings/);
			assert.deepEqual(price(), { currency: 'EUR', image: 0.04 });
			assert.deepEqual(
				list.items.map(({ label, description }) => `${label} ${description ?? ''}`),
				[
					...['$(check) Done ', '$(edit) Currency EUR', '$(edit) Each image €0.04'],
					...['$(edit) High quality as each image', '$(edit) Low quality as each image'],
					'$(edit) Each request to a language model not set',
				],
			);
			await picks.accept();
			const rows = await picks.shown(/Show Spending/);
			assert.equal(
				rows.items.find(({ label }) => label === 'You')?.description,
				'1 request · about €0.04',
			);
			await closingQuickInputs(showing);
		},
	);

	rare(
		'changes one price of several, removes one by an empty text, and loses none by Escape',
		async () => {
			const prices = { currency: 'EUR', image: 0.04, '1024x1024 high': 0.17 };
			await setSetting('easel.budget.price', prices);
			const price = () => vscode.workspace.getConfiguration('easel').get('budget.price');
			let before: vscode.QuickPick<vscode.QuickPickItem> | undefined;
			const choose = async (label: string) => {
				const isNew = async () => (await picks.shown(/Saved in your user settings/)) !== before;
				await until(isNew, 'the list to be shown anew');
				const list = await picks.shown(/Saved in your user settings/);
				before = list;
				const row = list.items.find((one) => one.label === `$(edit) ${label}`)!;
				list.activeItems = [row];
				await until(() => list.activeItems[0] === row, `${label} to be in front`);
				await picks.accept();
			};
			const asking = vscode.commands.executeCommand('easel.setPrices');
			await choose('High quality');
			(await picks.askedForText()).value = '0.1';
			await picks.accept();
			await choose('1024 × 1024, high quality');
			const box = await picks.askedForText(/1024/);
			assert.equal(box.value, '0.17');
			box.value = '';
			await picks.accept();
			await choose('Low quality');
			(await picks.askedForText(/low/)).value = '0.01';
			await closingQuickInputs(asking);
			assert.deepEqual(price(), { currency: 'EUR', image: 0.04, high: 0.1 });
		},
	);

	rare('leaves prices that are wrong as they are, and says what is wrong', async () => {
		const wrong = { currency: 'EUR', wide: 0.04 };
		await setSetting('easel.budget.price', wrong);
		await vscode.commands.executeCommand('easel.setPrices');
		assert.match(messages.texts.join(), /“wide” is not known/);
		assert.deepEqual(vscode.workspace.getConfiguration('easel').get('budget.price'), wrong);
	});

	rare('is said before it happens, in the row that Enter chooses', async () => {
		const service = await openService();
		atEnd(() => closeService(service));
		await setSetting('easel.budget.price', { currency: 'EUR', image: 0.04, high: 0.17 });
		const asking = vscode.commands.executeCommand('easel.generateImage');
		const pick = await picks.shown(/Generate/);
		pick.value = 'a fox';
		await until(() => pick.items[0]?.label.includes('€') === true, 'the money');
		assert.match(pick.items[0]!.label, / · 1 image · about €0\.04$/);
		await closingQuickInputs(asking);
		assert.equal(service.requests.length, 0);
	});

	rare('of agents is limited by the setting of the user, and by none of a workspace', async () => {
		await writeWorkspaceSettings({
			'easel.budget.imagesPerDay': 100,
			'easel.budget.price': { currency: 'EUR', image: 100 },
		});
		atEnd(() => remove('.vscode'));
		atEnd(() => writeWorkspaceSettings({}));
		const { budget } = parts;
		const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
		assert.equal(await budget.reserve(first, 1), false);
		await setSetting('easel.budget.imagesPerDay', 3);
		assert.equal(await budget.reserve(first, 2), true);
		assert.equal(await budget.reserve(second, 2), false);
		assert.deepEqual(await budget.state(), { used_today: 2, allowed_today: 3, unknown: 0 });
		await budget.release(first);
		assert.equal(await budget.reserve(second, 3), true);
		await setSetting('easel.budget.price', { currency: 'USD', image: 0.05 });
		assert.equal((await budget.state()).price, 'about $0.05');
	});
});
