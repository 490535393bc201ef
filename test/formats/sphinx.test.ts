import { testSite } from './siteTests';

// It encodes the names of `![…](…)`, and leaves HTML alone.
testSite('Sphinx', {
	unfound: /^!\[Two words|srcset/,
	unshown: /md: html|inline: (?!red-fox)/,
	judgesAlts: true,
});
