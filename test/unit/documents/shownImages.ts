import MarkdownIt from 'markdown-it';
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';

const markdownIt = new MarkdownIt({ html: true });
// The links as they are written, so that both sides can be compared without guessing.
markdownIt.normalizeLink = (url) => url;

/** Returns the images that a browser shows of a text that markdown-it renders. */
export function shown(markdown: string): string[] {
	const content = markdown.replace(/^---[ \t]*\r?\n(?:[^]*?\n)??---[ \t]*(?:\r?\n|$)/, '');
	return sources(parseFragment(markdownIt.render(content)));
}

function sources(node: DefaultTreeAdapterTypes.ParentNode): string[] {
	return node.childNodes.flatMap((child) => {
		if (!('tagName' in child)) {
			return [];
		}
		const src = child.attrs.find(({ name }) => name === 'src');
		return [...(child.tagName === 'img' && src ? [src.value] : []), ...sources(child)];
	});
}
