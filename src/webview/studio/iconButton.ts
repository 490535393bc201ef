import { html, nothing, type TemplateResult } from 'lit';
import { codicon, type IconName } from '../codicon.js';

interface Options {
	/** What the pointer brings up, where that is not the whole label. */
	readonly title?: string;
	/** Whether the tab key leads to it. */
	readonly isTabStop?: boolean;
	readonly hasMenu?: boolean;
}

/** A button that shows only an icon. */
export function iconButton(
	label: string,
	icon: IconName,
	onClick: (event: MouseEvent) => void,
	{ title = label, isTabStop = true, hasMenu = false }: Options = {},
): TemplateResult {
	return html`
		<button
			class="icon"
			tabindex=${isTabStop ? 0 : -1}
			aria-label=${label}
			aria-haspopup=${hasMenu ? 'menu' : nothing}
			title=${title}
			@click=${onClick}
		>
			${codicon(icon)}
		</button>
	`;
}
