import { createRequire } from 'node:module';
import { join, posix } from 'node:path';
import { linkText, type LinkParts } from '../../src/documents/imageLink';
import type { LinkForm } from '../../src/documents/place';
import { typstImage } from '../../src/documents/typst';
import { cachedPackages } from '../host/cache';
import { pictureOfWidth, widthOfPicture } from '../unit/documents/pictures';
import { testRendering, type Shown } from '../unit/documents/troublesome';

/** Part of `@myriaddreamin/typst-ts-node-compiler` that is used here. */
interface Compiler {
	addSource(path: string, source: string): void;
	mapShadow(path: string, content: Buffer): void;
	query(main: { mainFilePath: string }, query: { selector: string }): unknown;
	svg(main: { mainFilePath: string }): string;
}

const compilerPackage = '@myriaddreamin/typst-ts-node-compiler';

suite('typstImage, rendered by Typst', () => {
	let compiler: Compiler;
	const mainFilePath = '/root/docs/page.typ';

	suiteSetup(async function () {
		this.timeout(120_000);
		const modules = await cachedPackages([`${compilerPackage}@0.6.0`]);
		const { NodeCompiler } = createRequire(join(modules, 'x.js'))(compilerPackage) as {
			NodeCompiler: { create(options: { workspace: string }): Compiler };
		};
		// The file system is one of the compiler's own, in memory.
		compiler = NodeCompiler.create({ workspace: '/root' });
	});

	for (const form of ['block', 'inline'] as const) {
		suite(form, () => testRendering((images) => show(images, form), { seed: 14 }));
	}

	function show(images: readonly LinkParts[], form: LinkForm): Shown[] {
		const page = images.map((image) => linkText(typstImage(image, form)));
		// Typst answers questions about images by way of what stands beside them.
		const rule = '#show image: it => [#metadata(it.alt) <alt> #it]';
		compiler.addSource(mainFilePath, [rule, 'Before.', ...page, 'After.'].join('\n\n'));
		const files = images.map(({ path }) => posix.join('/root/docs', path));
		files.forEach((file, index) => compiler.mapShadow(file, pictureOfWidth(1 + index)));
		const found = compiler.query({ mainFilePath }, { selector: '<alt>' }) as { value: string }[];
		const svg = compiler.svg({ mainFilePath });
		const pictures = svg.matchAll(/<image[^>]* xlink:href="data:image\/png;base64,([^"]*)"/g);
		return Array.from(pictures, ([, data], index) => ({
			file: files[widthOfPicture(Buffer.from(data!, 'base64')) - 1]!,
			alt: found[index]!.value,
		}));
	}
});
