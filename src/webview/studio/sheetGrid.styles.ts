import { css } from 'lit';
import { nameStyles } from '../shortenedName.js';
import { selectableStyles } from './selectable.styles.js';
import { scrollAreaStyles } from './scrollArea.styles.js';

/** Everything lies where arithmetic puts it. Nothing but the pictures has a color of its own. */
export const styles = css`
	${nameStyles}

	:host {
		height: 100%;
	}

	${scrollAreaStyles}

	.area {
		padding: 0 12px;
	}

	${selectableStyles}

	.cell {
		cursor: default;
	}

	/* A ground of the same gray for all: none of them is flattered. */
	.picture {
		padding: 6px;
		background: color-mix(in srgb, #808080 14%, var(--vscode-editor-background));
	}

	/* Small ones are not enlarged: they would look unlike the others for that alone. */
	.picture img {
		object-fit: scale-down;
	}

	.none {
		display: flex;
		flex-direction: column;
		align-items: center;
		gap: 4px;
		color: var(--vscode-foreground);
		text-align: center;
		overflow-wrap: anywhere;
	}

	/* Below the picture, while it is read first. */
	.caption {
		display: flex;
		flex: none;
		order: 1;
		align-items: center;
		justify-content: center;
		box-sizing: border-box;
		height: 26px;
		padding: 0 2px;
		overflow: hidden;
	}

	.caption .name {
		font-size: 0.92em;
		font-weight: normal;
	}
`;
