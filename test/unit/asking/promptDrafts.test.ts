import assert from 'node:assert/strict';
import {
	cp,
	mkdir,
	mkdtemp,
	readdir,
	rm,
	stat,
	symlink,
	utimes,
	writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PromptDrafts, type PromptPurpose } from '../../../src/asking/promptDrafts.js';

const purpose: PromptPurpose = {
	operation: 'generate',
	size: '1536x1024',
	quality: 'unset',
	count: 2,
	references: ['file:///work/images/a%20b.png'],
	document: 'file:///work/docs/page.md',
	insertion: {
		id: '0b4f6a4e-7c0e-4a56-9d65-0d9f7f1d5c55',
		places: [{ start: 12, end: 12 }],
		block: false,
		sha256: 'ab'.repeat(32),
	},
	workspaceFolder: 'file:///work',
};

suite('Prompts that are being written', () => {
	let storage: string;
	let drafts: PromptDrafts;

	setup(async () => {
		storage = await mkdtemp(path.join(tmpdir(), 'easel-prompts-'));
		drafts = new PromptDrafts(storage);
	});

	teardown(() => rm(storage, { recursive: true, force: true }));

	/** Changes the time of a draft to so many hours ago. */
	async function age(id: string, hours: number): Promise<void> {
		const time = new Date(Date.now() - hours * 60 * 60 * 1000);
		await utimes(drafts.file(id), time, time);
	}

	test('keep their text, with its lines, and what they are for', async () => {
		const text = 'A lighthouse at dusk.\n\nStyle: flat illustration\n';
		const id = await drafts.create(purpose, text);
		const [draft] = await new PromptDrafts(storage).list();
		assert.equal(draft?.id, id);
		assert.equal(draft.text, text);
		assert.deepEqual(draft.purpose, purpose);
	});

	test('are listed with the one first that was changed last', async () => {
		for (const hours of [3, 1, 4, 0, 2]) {
			await age(await drafts.create(purpose, String(hours)), hours);
		}
		assert.deepEqual(
			(await drafts.list()).map(({ text }) => text),
			['0', '1', '2', '3', '4'],
		);
	});

	test('change what they are for and keep their text', async () => {
		const id = await drafts.create(purpose, 'one');
		await drafts.setPurpose(id, { ...purpose, size: 'auto', references: [] });
		const [draft] = await drafts.list();
		assert.equal(draft?.text, 'one');
		assert.equal(draft.purpose.size, 'auto');
	});

	test('are known by their file, and no other file is one', async () => {
		const id = await drafts.create(purpose, 'one');
		assert.equal(drafts.idOf(drafts.file(id)), id);
		for (const other of [
			path.join(storage, 'Image Prompt'),
			path.join(storage, 'prompts', '..', 'Image Prompt'),
			path.join(storage, 'prompts', id, 'purpose.json'),
			path.join(storage, 'elsewhere', id, 'Image Prompt'),
			path.join(storage, 'prompts', 'not an id', 'Image Prompt'),
		]) {
			assert.equal(drafts.idOf(other), undefined, other);
		}
	});

	test('are gone when they are removed, also twice', async () => {
		const id = await drafts.create(purpose, 'one');
		await drafts.remove(id);
		await drafts.remove(id);
		assert.deepEqual(await drafts.list(), []);
		assert.equal(await drafts.purpose(id), undefined);
		assert.deepEqual(await readdir(path.join(storage, 'prompts')), []);
	});

	test('are not offered while nothing stands in them, and go a day later', async () => {
		const fresh = await drafts.create(purpose, ' \n');
		const recent = await drafts.create(purpose, '');
		await age(recent, 23);
		const old = await drafts.create(purpose, ' \n');
		await age(old, 25);
		const written = await drafts.create(purpose, 'a fox');
		await age(written, 24 * 365);
		await drafts.create(purpose, 'another');
		assert.equal((await drafts.list()).length, 2);
		const left = await readdir(path.join(storage, 'prompts'));
		assert.ok(left.includes(fresh) && left.includes(recent) && left.includes(written));
		assert.ok(!left.includes(old));
	});

	test('whose purpose is damaged are passed over, and nothing else is lost for that', async () => {
		const damaged = await drafts.create(purpose, 'one');
		const foreign = await drafts.create(purpose, 'two');
		const id = await drafts.create(purpose, 'three');
		await writeFile(path.join(path.dirname(drafts.file(damaged)), 'purpose.json'), '{"oper');
		await writeFile(path.join(path.dirname(drafts.file(foreign)), 'purpose.json'), '{"count":9}');
		await writeFile(path.join(storage, 'prompts', 'a file'), '');
		assert.equal(await drafts.purpose(damaged), undefined);
		assert.equal(await drafts.purpose(foreign), undefined);
		assert.deepEqual(
			(await drafts.list()).map((draft) => draft.id),
			[id],
		);
	});

	test('are not mixed up with other files in their folder', async () => {
		const id = await drafts.create(purpose, 'one');
		const root = path.join(storage, 'prompts');
		for (const name of [`x${id}`, `${id}x`, 'not an id']) {
			await cp(path.join(root, id), path.join(root, name), { recursive: true });
		}
		const text = await drafts.create(purpose, 'its text has just been removed');
		await rm(drafts.file(text));
		assert.deepEqual(
			(await drafts.list()).map((draft) => draft.id),
			[id],
		);
		assert.equal(drafts.idOf(path.join(root, `x${id}`, 'Image Prompt')), undefined);
	});

	test('are not called gone where they only cannot be read', async () => {
		const id = await drafts.create(purpose, 'one');
		const other = await drafts.create(purpose, 'two');
		const file = path.join(path.dirname(drafts.file(id)), 'purpose.json');
		await rm(file);
		await mkdir(file);
		await assert.rejects(drafts.purpose(id), { code: 'EISDIR' });
		await drafts.remove(id);
		await rm(drafts.file(other));
		await mkdir(drafts.file(other));
		await assert.rejects(drafts.list(), { code: 'EISDIR' });
		const root = path.join(storage, 'prompts');
		await rm(root, { recursive: true });
		await symlink(root, root);
		await assert.rejects(drafts.list(), { code: 'ELOOP' });
	});

	test('are closed to others', async function () {
		if (process.platform === 'win32') {
			// It has no such modes; what protects the profile protects them.
			return;
		}
		const id = await drafts.create(purpose, 'one');
		const modeOf = async (file: string) => (await stat(file)).mode & 0o777;
		assert.equal(await modeOf(drafts.file(id)), 0o600);
		assert.equal(await modeOf(path.dirname(drafts.file(id))), 0o700);
		assert.equal(await modeOf(path.join(storage, 'prompts')), 0o700);
	});
});
