import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../../host/cache';
import { userReadme } from '../../host/userReadme';

suite('The README in the package', () => {
	test('has neither pictures nor links that lead nowhere there, and not what is for developers', () => {
		const readme = [
			'# Easel\n',
			'![a](media/a.png)\n',
			'Text, `![b](c.png)`, [d](#d), [e](https://example.com), [f](F.md).\n',
			'## Try it\n',
			'gone\n',
			'## Set up\n',
			'![g](https://example.com/g.png)\n',
			'## Development\n',
			'[h](H.md)\n',
		].join('\n');
		assert.equal(
			userReadme(readme),
			[
				'# Easel\n',
				'Text, `![b](c.png)`, [d](#d), [e](https://example.com), f.\n',
				'## Set up\n',
				'![g](https://example.com/g.png)\n\n',
			].join('\n'),
		);
	});

	test('leaves the sections of users as they are, and has those that others lead to', async () => {
		const readme = await readFile(join(repository, 'README.md'), 'utf8');
		const titlesOf = (text: string) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title);
		const users = userReadme(readme);
		assert.deepEqual(
			titlesOf(users),
			titlesOf(readme).filter((title) => title !== 'Try it' && title !== 'Development'),
		);
		const anchors = titlesOf(users).map((title) => title?.toLowerCase().replaceAll(' ', '-'));
		for (const [, anchor] of users.matchAll(/\]\(#([^)]*)\)/g)) {
			assert.ok(anchors.includes(anchor), anchor);
		}
		assert.ok(!/media\/|CONTRIBUTING|npm /.test(users));
	});

	test('is made from one that shows every picture that is kept for it, and no other', async () => {
		const readme = await readFile(join(repository, 'README.md'), 'utf8');
		const shown = [...readme.replaceAll(/`[^`\n]*`/g, '').matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)];
		const kept = await readdir(join(repository, 'media/readme'));
		assert.deepEqual(
			shown.map(([, file]) => file).sort(),
			kept.map((name) => `media/readme/${name}`).sort(),
		);
	});
});
