import { css, html, type TemplateResult } from 'lit';
import { divideName } from './fileName.js';

/**
 * A file name that is shortened in the middle where there is no room.
 *
 * @param tailLength how much of its end is always seen, in graphemes
 */
export function shortenedName(name: string, tailLength?: number): TemplateResult {
	const [start, tail] = divideName(name, tailLength);
	return html`
		<bdi class="name" title=${name}>
			<span class="whole">${name}</span>
			<span class="start" aria-hidden="true">${start}</span>
			<span class="tail" aria-hidden="true">${tail}</span>
		</bdi>
	`;
}

export const nameStyles = css`
	.name {
		position: relative;
		display: flex;
		max-width: 100%;
		font-weight: 600;
		white-space: pre;
	}

	/* For screen readers, which would read the parts of a name as two. */
	.whole {
		position: absolute;
		width: 1px;
		height: 1px;
		overflow: hidden;
		clip-path: inset(50%);
	}

	.start {
		overflow: hidden;
		text-overflow: ellipsis;
	}

	.tail {
		flex: none;
	}
`;
