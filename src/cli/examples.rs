//! What to type: the end of each command's help.

pub(super) const TEST: &str = "Examples:
  clew test abs.c                                   every decision of every function
  clew test abs.c -f absolute -c path               all paths of one
  clew test lexer.c -f next -c mcdc                 one function, MC/DC
  clew test ring.c -f put --domain 'r->head=0..7'   what an input may be
  clew test sort.c -f sort -k 2 --requires 'n > 0'  paths of at most two turns of each loop
  clew test uart.c -c decision --emit cmocka        for a framework
  clew test tri.c -f trityp --random 1000           inputs at random, evenly
  clew test tri.c -f trityp --per-path 100          the same for each path
  clew test -p build/ -c decision --time 2          every function of a project
  clew test -p build/ --shard 3/20 -o shard-3       a share of it, see docs/cluster.md
  clew test -p build/ --queue nats://HOST           by workers on other machines (clew worker)
  clew test drv.c -c decision -- -Iinclude -DTEST   flags for the compiler
  clew test drv.c --deny findings                   code 1 if something undefined can happen
  clew test drv.c --findings memory,division        only these kinds of findings

Ends with 0 if there is a suite, 1 if a test does not do what was predicted, or its code fails as it was written (or
with --deny findings, if there are findings), 2 if nothing could be tested, 3 if a limit left something open.

Criteria are defined in docs/criteria.md, clew.toml and suite.json in docs/formats.md.";

pub(super) const MERGE: &str =
    "Ends as `clew test` does for a project, also with 3 if shards are missing, and with 4 if two inputs contradict
each other.

Examples:
  clew test -p build/ --shard 3/20 -o shard-3       the third of twenty shares of a project
  clew merge shard-* -o clew-out                    all of them as one
  clew merge old/clew-out lexer-out -o all          a project and a suite

Which result counts where inputs overlap is in docs/cluster.md.";

pub(super) const WORKER: &str = "Ends with 0 when there was no work for the time of --idle, and with 2 if the queue cannot be used. A worker runs the
code of the projects it is given: whoever may write to the queue can run programs on its machine.

Examples:
  clew worker --queue nats://queue.example          on each machine
  clew test -p build/ --queue nats://queue.example  the project that they test";

pub(super) const SLURM: &str = "Examples:
  clew cluster slurm --shards 40 -- -p build/ -c decision --effort 5 > clew.sbatch
  sbatch clew.sbatch

docs/cluster.md has recipes for other schedulers and for continuous integration.";

pub(super) const REACH: &str = "A file followed by a colon and a line is a goal. Ends with 0 if all goals are reached, 1 if one cannot be, 3 if one
is left unknown.

Examples:
  clew reach drv.c:42                               an input that brings control to line 42
  clew reach drv.c:42 -f init                       the same, by calling init
  clew reach drv.c --goal 'n == 3@17'               with n equal to 3 on line 17
  clew reach sort.c -f sort --iterations 1=5        with five turns of the first loop";

pub(super) const SOLUTIONS: &str = "Ends with 0 if the number is exact, 1 if no input reaches the goal, 3 if the number is a lower bound. An input is what
parameters, globals and what pointers lead to hold, as far as a way to the goal reads them (docs/questions.md).

Examples:
  clew solutions sample.c:27 --domain 'a[*]=1..9'   how many inputs reach line 27, and ten of them
  clew solutions tri.c --goal 't == 3@24' --limit 100
  clew solutions sort.c -f sort --iterations 1=5 --summary json";

pub(super) const DOMAIN: &str = "Domains are what propagation leaves; they include every input that reaches the goal. --exact gives the smallest and
the largest value that occur.

Examples:
  clew domain lh98.c:19                             what values inputs have that reach line 19
  clew domain buf.c:9 --globals initial --exact     their smallest and largest values, too";

pub(super) const PROVE: &str =
    "Ends with 0 if everything is proved, 1 if something is violated, 3 if something is left unknown.

Examples:
  clew prove sort.c                                 every `ensures` and `assert` of the file
  clew prove clamp.c -f clamp --ensures '\\result >= lo'
  clew prove ring.c --checks                        nothing undefined happens
  clew prove sort.c -k 4                            up to four turns of each loop
  clew prove sum.c --annotate -o annotated          and write the loop invariants that were found
  clew prove sort.c --terminates                    every loop ends
  clew prove tri.c -f trityp --symmetry 'permute(i, j, k)'
                                                    the result does not depend on the order of arguments
  clew prove sort.c -f sort --symmetry 'permute(a[0..n])' --exhaustive --domain 'a[*]=0..19'
  clew prove base64.c --relation round_trip         a relation in C, which asserts or returns 0
  clew prove crc.c -f crc --symmetry 'equivalent(crc_fast)' --random 1000000

The ACSL that is understood is in docs/contracts.md, relations are in docs/relations.md.";

pub(super) const EVIDENCE: &str = "Examples:
  clew evidence                                     of what `clew test` wrote to clew-out
  clew evidence clew-out/src/brake.c/apply          one function of a project";

pub(super) const MUTATE: &str =
    "Ends with 0 if the tests kill every mutant, 1 if some survive. mutants.json beside the suite has all of them.

Examples:
  clew mutate                                       the suite in clew-out
  clew mutate out -f parse --matrix                 one function, with every test that kills a mutant
  clew mutate old-suite --file parse.c              yesterday's tests on today's source";

pub(super) const DIFF: &str = "Ends with 0 if all tests expect the same, 1 otherwise.

Examples:
  clew diff old-out clew-out                        two suites: tests that appeared, vanished, expect something else
  clew diff old/parse.c parse.c --suite clew-out    each test of the suite run on both versions
  clew diff old-out clew-out --summary json";

pub(super) const RUN: &str = "Examples:
  clew run hello.c
  clew run sort.c util.c -- 3 1 2 < input.txt";

pub(super) const IR: &str = "Examples:
  clew ir abs.c -f abs
  clew ir abs.c --stats                             what is supported, in numbers";

pub(super) const CFG: &str = "Examples:
  clew cfg abs.c -f abs | dot -Tpng > abs.png
  clew cfg abs.c -f abs --svg > abs.svg";

pub(super) const SOLVE: &str = "Examples:
  clew solve problem.smt2
  clew solve --stats - < problem.smt2";

pub(super) const RULES: &str = "Ends with 0 if every objective is covered or proved to have no test, 1 if an implementation differs, 3 if something
is left unknown.

Examples:
  clew rules jcvm.jsl                               a test for each rule of every function
  clew rules jcvm.jsl -f push -c rule-pairs         what one function calls, too
  clew rules jcvm.jsl --prefer normal               away from error states
  clew rules plus.jsl --eval 'plus (S 0) (S 0)'     evaluate
  clew rules plus.jsl --as-c plus.c                 the rules as a program of C, for clew test and clew prove
  clew rules jcvm.jsl --adapter jcvm.toml --emit cmocka
                                                    test an implementation in C

The language and the adapter are in docs/rules.md.";
