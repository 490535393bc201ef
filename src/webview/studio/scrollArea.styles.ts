import { css } from 'lit';

/** What is scrolled, where everything lies where arithmetic puts it; how far from the edges says who uses it. */
export const scrollAreaStyles = css`
	.area {
		position: relative;
		box-sizing: border-box;
		height: 100%;
		overflow: hidden auto;
		/* What is seen is kept in its place by the element: it knows what has come and gone. */
		overflow-anchor: none;
		scrollbar-gutter: stable;
	}

	/* So that nothing has to lie below what is said of the selection. */
	.area.roomy {
		padding-bottom: 60px;
	}

	.content {
		position: relative;
		contain: layout style;
	}
`;
