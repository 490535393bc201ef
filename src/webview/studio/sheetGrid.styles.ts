import { css } from 'lit';
import { nameStyles } from '../shortenedName.js';
import { checkStyles } from './checkMark.styles.js';
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

	.cell {
		position: absolute;
		display: flex;
		flex-direction: column;
		contain: strict;
		border-radius: 4px;
		cursor: default;
		outline: none;
		user-select: none;
	}

	/* A ground of the same gray for all: none of them is flattered. */
	.picture {
		display: grid;
		flex: none;
		place-items: center;
		box-sizing: border-box;
		width: 100%;
		padding: 6px;
		overflow: hidden;
		color: var(--vscode-descriptionForeground);
		background: color-mix(in srgb, #808080 14%, var(--vscode-editor-background));
		border: 1px solid var(--vscode-contrastBorder, transparent);
		border-radius: 4px;
	}

	/* Small ones are not enlarged: they would look unlike the others for that alone. */
	.picture img {
		display: block;
		width: 100%;
		height: 100%;
		min-width: 0;
		min-height: 0;
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

	${checkStyles}
`;
