import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../../host/cache';
import { userReadme } from '../../host/userReadme';

suite('The README in the package', () => {
	test('has neither pictures nor links that lead nowhere there, and nothing for developers', () => {
		const readme = [
			'# Easel\n',
			'![a](media/a.png)\n',
			'Text, `![b](c.png)`, [d](#d), [e](https://example.com), [f](F.md).\n',
			'## Test it\n',
			'gone\n',
			'## Set up\n',
			'![g](https://example.com/g.png)\n',
			'## Contributing\n',
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

	test('is made from sections that exist', async () => {
		const readme = await readFile(join(repository, 'README.md'), 'utf8');
		const titlesOf = (text: string) => [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
		const left = titlesOf(userReadme(readme));
		assert.deepEqual(
			titlesOf(readme).filter((title) => !left.includes(title)),
			['Try it without an account', 'Test it', 'Contributing'],
		);
	});
});
