import { posix } from 'node:path';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { linkText, type LinkParts } from '../../../src/documents/imageLink';
import type { LinkForm } from '../../../src/documents/place';
import { typstImage } from '../../../src/documents/typst';
import { pictureOfWidth, widthOfPicture } from './pictures';
import { testRendering, type Shown } from './troublesome';

suite('typstImage, rendered by Typst', () => {
	// The file system is one of the compiler's own, in memory.
	const compiler = NodeCompiler.create({ workspace: '/root' });
	const mainFilePath = '/root/docs/page.typ';

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
