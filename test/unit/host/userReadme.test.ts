import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../../host/cache';
import { userReadme } from '../../host/userReadme';

suite('The README in the package', () => {
	test('holds its pictures, has no links that lead nowhere there, and nothing for developers', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'easel-readme-'));
		try {
			await writeFile(join(folder, 'a.png'), 'fox');
			const readme = [
				'# Easel\n',
				'![a](a.png)\n',
				'Text, `![b](c.png)`, [d](#d), [e](https://example.com), [f](F.md).\n',
				'## Test it\n',
				'gone\n',
				'## Set up\n',
				'![g](https://example.com/g.png)\n',
				'## Contributing\n',
				'[h](H.md)\n',
			].join('\n');
			assert.equal(
				await userReadme(readme, folder),
				[
					'# Easel\n',
					'![a](data:image/png;base64,Zm94)\n',
					'Text, `![b](c.png)`, [d](#d), [e](https://example.com), f.\n',
					'## Set up\n',
					'![g](https://example.com/g.png)\n\n',
				].join('\n'),
			);
		} finally {
			await rm(folder, { recursive: true });
		}
	});

	test('is made from sections that exist', async () => {
		const readme = await readFile(join(repository, 'README.md'), 'utf8');
		const titlesOf = (text: string) => [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
		const left = titlesOf(await userReadme(readme, repository));
		assert.deepEqual(
			titlesOf(readme).filter((title) => !left.includes(title)),
			['Try it without an account', 'Test it', 'Contributing'],
		);
	});
});
