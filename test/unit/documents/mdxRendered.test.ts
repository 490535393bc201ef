import { mdxImage } from '../../../src/documents/mdx';
import { linkText } from '../../../src/documents/imageLink';
import { fileOf, type Shown, testRendering } from './troublesome';

suite('mdxImage, rendered by MDX', () => {
	testRendering(
		async (images) => {
			const page = images.map((image) => `Before ${linkText(mdxImage(image))} after.`);
			const shown: Shown[] = [];
			const element = (type: unknown, props: { src: string; alt: string }) => {
				if (type === 'img') shown.push({ file: fileOf(props.src), alt: props.alt });
				return { type, props };
			};
			// MDX and what it needs can be imported, but not required.
			const { evaluate } = await import('@mdx-js/mdx');
			const { default: content } = await evaluate(page.join('\n\n'), {
				Fragment: 'fragment',
				jsx: element as never,
				jsxs: element as never,
			});
			content({});
			return shown;
		},
		{ seed: 12 },
	);
});
