import assert from 'node:assert/strict';
import { appendFile, readFile, rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import { askForFolder } from '../../src/generation/report.js';
import { readState } from '../../src/jobs/jobFolder.js';
import { until } from '../host/until.js';
import { rare } from '../host/rare.js';
import { storage, useStorage } from './storage.js';
import { service, useService } from './service.js';
import { ShownMessages } from './shownMessages.js';
import { contextIn, Memory, partsIn, StudioPage } from './studioPage.js';
import { remove, root } from './workspace.js';
import { imageRequest } from './imageRequest.js';

suite('An answer that is not understood', () => {
	let messages: ShownMessages;
	/** Answers each message. */
	let answer: (buttons: readonly string[], isModal: boolean) => string | undefined;
	const open: vscode.Disposable[] = [];
	const memory = new Memory();
	const { showOpenDialog, showSaveDialog } = vscode.window;

	useService();
	useStorage();

	setup(() => {
		answer = () => undefined;
		messages = new ShownMessages(
			['showErrorMessage', 'showInformationMessage', 'showWarningMessage'],
			({ buttons, modal }) => answer(buttons, modal),
		);
	});

	teardown(async () => {
		Object.assign(vscode.window, { showOpenDialog, showSaveDialog });
		service.faults.clear();
		vscode.Disposable.from(...open.splice(0).reverse()).dispose();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('images');
		await remove('answer.json');
	});

	function start() {
		const parts = partsIn(storage, memory);
		open.push(parts, new vscode.Disposable(() => void parts.leases.dispose()));
		return parts;
	}

	/** A request whose answer is text in place of an image. */
	async function fail(window: ReturnType<typeof start>) {
		service.faults.add({ answer: 'text-image', times: 1 });
		await window.generator.make([imageRequest('a fox')]);
		const [failed] = window.jobs.failed;
		assert.ok(failed?.state.state === 'failed');
		const { answerFile } = failed.state.failure;
		assert.ok(answerFile !== undefined);
		return { entry: failed.entry, answerFile };
	}

	function saveTo(target: vscode.Uri | undefined): void {
		Object.assign(vscode.window, { showSaveDialog: () => Promise.resolve(target) });
	}

	test('is reported with the charge first, and can be shown', async () => {
		const window = start();
		let press: ((label: string) => void) | undefined;
		const pressed = new Promise<string>((resolve) => {
			press = resolve;
		});
		messages.dispose();
		messages = new ShownMessages(['showErrorMessage'], () => pressed);
		const { answerFile } = await fail(window);
		await until(() => messages.reported.length > 0, 'the message');
		assert.deepEqual(messages.reported, [
			'“a fox”: The service answered with data that is not an image. You have probably been charged. Easel stores the answer until you save or discard it. | Save… | Show | Discard… | Retry…',
		]);
		press?.('Show');
		await until(
			() => vscode.window.activeTextEditor?.document.uri.fsPath === answerFile,
			'the answer to be shown',
		);
		assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /"b64_json"/);
	});

	rare('that no folder takes goes where the user wants it', async () => {
		const chosen = vscode.Uri.joinPath(root(), 'images');
		for (const uris of [[chosen], undefined]) {
			Object.assign(vscode.window, { showOpenDialog: () => Promise.resolve(uris) });
			answer = (buttons) => buttons[0];
			assert.equal(await askForFolder('a fox', 'EROFS'), uris?.[0]?.fsPath);
		}
		answer = () => undefined;
		assert.equal(await askForFolder('a fox', 'EROFS'), undefined);
		assert.equal(
			messages.reported[0],
			'“a fox” has arrived, but no folder takes it (EROFS). Free some space or choose a folder; Easel keeps the image in memory until then. | Choose Folder…',
		);
	});

	rare('is saved where the user wants it, and only the failure is left', async () => {
		const window = start();
		const { entry, answerFile } = await fail(window);
		const content = await readFile(answerFile, 'utf8');
		const target = vscode.Uri.joinPath(root(), 'answer.json');
		saveTo(undefined);
		await window.generator.act('saveAnswer', [entry]);
		assert.equal(await readFile(answerFile, 'utf8'), content, 'nothing was chosen');
		saveTo(target);
		await window.generator.act('saveAnswer', [entry]);
		assert.equal(await readFile(target.fsPath, 'utf8'), content);
		await assert.rejects(readFile(answerFile), { code: 'ENOENT' });
		const [failed] = window.jobs.failed;
		assert.ok(failed?.state.state === 'failed' && failed.state.failure.answerFile === undefined);
	});

	rare('shows no key, also where it came after its worker had ended', async () => {
		const window = start();
		const { entry, answerFile } = await fail(window);
		const key = process.env['EASEL_API_KEY']!;
		await appendFile(answerFile, ` ${key}`);
		const target = vscode.Uri.joinPath(root(), 'answer.json');
		saveTo(target);
		await window.generator.act('saveAnswer', [entry]);
		const saved = await readFile(target.fsPath, 'utf8');
		assert.ok(saved.includes('"b64_json"') && !saved.includes(key.slice(0, 12)));
	});

	rare('stays listed where its failure is dealt with, until it is discarded', async () => {
		const window = start();
		const { entry, answerFile } = await fail(window);
		await window.generator.act('sendAgain', [entry]);
		assert.equal(service.requests.length > 0, true);
		const [failed] = window.jobs.failed;
		assert.ok(failed?.state.state === 'failed' && failed.state.failure.isDealtWith);
		const page = new StudioPage(window, contextIn(storage, memory));
		open.push(page);
		await page.ask({ type: 'ready' });
		answer = (buttons, isModal) => (isModal ? buttons[0] : undefined);
		await page.ask({ type: 'job', id: entry.request.id, action: 'discardAnswer' });
		await until(() => window.jobs.failed.length === 0, 'the entry to go');
		assert.match(messages.texts.join('\n'), /Discard the answer of the service\?/);
		await assert.rejects(readFile(answerFile), { code: 'ENOENT' });
		const state = await readState(entry.folder).catch(() => undefined);
		assert.ok(state === undefined || state.dismissed === true);
	});

	rare('whose file is gone says so, and can be discarded', async () => {
		const window = start();
		const { entry, answerFile } = await fail(window);
		await rm(answerFile);
		for (const action of ['saveAnswer', 'showAnswer'] as const) {
			await assert.rejects(
				window.generator.act(action, [entry]),
				/removed this answer from Easel’s storage/,
			);
		}
		answer = (buttons, isModal) => (isModal ? buttons[0] : undefined);
		await window.generator.act('discardAnswer', [entry]);
		const [failed] = window.jobs.failed;
		assert.ok(failed?.state.state === 'failed' && failed.state.failure.answerFile === undefined);
	});
});
