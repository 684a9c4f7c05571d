"""The authors' claims, checked against measurements: `podium claims`.

| module | what it does |
| --- | --- |
| `claims` | the claims of each game's list, their results in files, and measuring what is missing |
| `measurements` | ways to measure a claim: a rate, a cell of a study's table, or not at all |
| `matches` | ways to measure a claim by matches |
| `verdicts` | whether a measurement agrees with a claim |
| `finding_texts` | findings in words |
| `claims_report` | the report as rows and as a page in Markdown |
| `picture` | claimed and measured values as a picture |
"""
