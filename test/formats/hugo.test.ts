import { testSite } from './siteTests';

// It puts the path of the site before no link, and older ones find no assets in `figure`.
testSite('Hugo', { unfound: /[<("]\/images|cut\.png/, judgesAlts: true });
