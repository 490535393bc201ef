import { css } from 'lit';
import { segmentStyles } from './segments.styles.js';

export const styles = css`
	${segmentStyles}

	:host {
		flex: none;
	}

	/* As quiet as the choices beside it. */
	fieldset {
		border-color: var(--vscode-contrastBorder, transparent);
	}

	fieldset label {
		min-width: 26px;
		padding: 0;
		font-variant-numeric: tabular-nums;
	}
`;
