#!/usr/bin/env perl
# The hook client for machines without a C compiler: the same job as shim.c. On the way to a plain answer it loads no module, not even
# Socket or strict (a test runs it under strict and warnings), uses no regular expression and compiles nothing that it does not run: each of
# these takes longer than asking. What stands behind __END__ is compiled when it is needed. An installed one runs with -T: then perl looks at
# neither PERL5OPT nor PERL5LIB, which a repository could set.
# Invariant: it ends with exit code 0 only when the daemon or the Node shim said so; before a tool every failure ends with 2. With --proof
# 90 is added to the code of every answer, as in shim.c.
my %option = (agent => '', event => '', 'deadline-ms' => 0);
while (@ARGV > 1) {
  my $name = shift;
  $option{substr $name, 2} = shift;
}
# How a person calls Belay in a shell.
my $command = built_in_or('@COMMAND@', '') || 'belay';
my $proof = exists $option{proof} ? 90 : 0;
my $home = built_in_or('@HOME@', '');
# The one it was made for, whatever the environment says. Empty: only the Node shim knows where it is.
my $path = built_in_or('@SOCKET@', 'BELAY_SHIM_SOCKET');
my $event_id = create_event_id();
# A daemon that has not even sent a blank for so long hangs.
my $quiet = 5;
# How long one that was found hanging is listened to: the file beside its socket says so, and a daemon that works removes it every second.
my $probe = 0.25;
my $limit = $option{'deadline-ms'} > 0 ? $option{'deadline-ms'} / 1000 : 25;
my $begun = time;
$SIG{PIPE} = 'IGNORE';

binmode STDIN;
binmode STDOUT;
binmode STDERR;
my $payload = '';
1 while sysread STDIN, $payload, 65536, length $payload;
$payload =~ tr/\r\n/  /;

my $line = $path eq '' ? undef : ask_daemon();
# What most calls end with.
exit $proof if defined $line && $line eq '{"exit":0,"stdout":"","stderr":""}';
load_rest();
print_answer($line) if defined $line;
run_node_shim($path eq '' ? () : '--direct');

# Only a client that was made without a value takes it from the environment, for tests: a project can put variables there.
sub built_in_or {
  my ($value, $name) = @_;
  return $value if substr($value, 0, 1) ne '@';
  return defined $ENV{$name} ? $ENV{$name} : '';
}

# A UUID of version 7, as in text.h.
sub create_event_id {
  my ($chance, $source) = ('');
  sysread $source, $chance, 10 if open $source, '<', '/dev/urandom';
  $chance = pack 'N3', map { rand 2**32 } 1 .. 3 if length $chance < 10;
  my $hex = unpack 'H20', $chance;
  my $time = sprintf '%012x', time * 1000;
  return substr($time, 0, 8) . '-' . substr($time, 8) . '-7' . substr($hex, 0, 3) . '-8' . substr($hex, 3, 3) . '-' . substr($hex, 6, 12);
}

sub quote {
  my ($text) = @_;
  return "\"$text\"" unless $text =~ tr/\x00-\x1f"\\//;
  load_rest();
  return quote_all($text);
}

sub passed_on {
  my %wanted;
  @wanted{qw(AGENT_ID AGENT_PARENT AGENT_MANAGES AGENT_CLAIMS BELAY_ACTOR BELAY_COMMITMENT BELAY_RUN_ID CLAUDE_ENV_FILE CLAUDE_CODE_SESSION_ATTENDED GROK_HOOK_EVENT AI_AGENT)} = ();
  return grep { exists $wanted{$_} || substr($_, -12) eq '_PROJECT_DIR' || substr($_, -11) eq 'PLUGIN_ROOT' } keys %ENV;
}

sub frame {
  my @names = passed_on();
  my $said = $ENV{CLAUDE_CODE_SESSION_ATTENDED};
  my $attended = defined $said ? $said eq '1' || $said eq 'true' : -t STDERR;
  my $cwd = readlink '/proc/self/cwd';
  if (!defined $cwd) { require Cwd; $cwd = Cwd::getcwd(); }
  return '{"agent":' . quote($option{agent}) . ',"event":' . quote($option{event}) . ',"event-id":"' . $event_id . '","cwd":' . quote($cwd)
    . ',"attended":' . ($attended ? 'true' : 'false')
    . ',"parent":' . getppid()
    . ($option{'deadline-ms'} > 0 ? ',"deadline-ms":' . int $option{'deadline-ms'} : '')
    . (length($ENV{BELAY_AGENT_SECRET} || '') ? ',"secret":' . quote($ENV{BELAY_AGENT_SECRET}) : '')
    . ',"env":{' . join(',', map { quote($_) . ':' . quote($ENV{$_}) } @names) . '},"payload":' . $payload . "}\n";
}

# What is left of so many seconds. `time` counts whole ones, so the deadline may come up to one second early.
sub seconds_left {
  my ($most) = @_;
  my $passed = time - $begun;
  my $left = $passed == 0 ? $limit : $limit - $passed;
  return $left < 0 ? 0 : $left < $most ? $left : $most;
}

# As in own-folder.ts: somebody else may have made the folder first, and would read what is sent there.
sub is_ours {
  my $folder = substr $path, 0, rindex $path, '/';
  my $above = substr $folder, 0, rindex($folder, '/') || 1;
  my (undef, undef, $mode, undef, $owner) = lstat $path or return 0;
  return 0 if ($mode & 0170000) != 0140000 || $owner != $>;
  (undef, undef, $mode, undef, $owner) = lstat $folder or return 0;
  return 0 if ($mode & 0170077) != 0040000 || $owner != $>;
  (undef, undef, $mode, undef, $owner) = stat $above or return 0;
  return ($owner == $> || $owner == 0) && (!($mode & 022) || $mode & 01000);
}

# AF_UNIX and SOCK_STREAM are 1 everywhere; BSD systems begin an address with its length.
sub ask_daemon {
  return undef if length $path > 103 || !is_ours();
  # 2048: without waiting. A daemon that stands still while others wait at its door would hold us there.
  socket(my $socket, 1, $^O eq 'linux' ? 1 | 2048 : 1, 0) or return undef;
  connect($socket, $^O eq 'linux' ? pack('S a*', 1, "$path\0") : pack('C C a*', length($path) + 3, 1, "$path\0")) or return undef;
  my ($out, $in) = (frame(), '');
  vec(my $bits = '', fileno($socket), 1) = 1;
  while (length $out) {
    return undef unless select(undef, my $ready = $bits, undef, seconds_left($limit)) > 0;
    my $wrote = syswrite $socket, $out, 65536;
    return undef unless defined $wrote;
    substr($out, 0, $wrote) = '';
  }
  while (index($in, "\n") < 0) {
    return undef unless is_heard($bits);
    return undef unless sysread $socket, $in, 65536, length $in;
  }
  return substr $in, 0, index($in, "\n");
}

# Whether the daemon says anything before it counts as hanging. That it does not is remembered for those who come next.
sub is_heard {
  my ($bits) = @_;
  return 1 if select(my $ready = $bits, undef, undef, seconds_left($probe)) > 0;
  my ($hung) = keys %{{ "$path.hung" => 1 }};
  my $more = -e $hung ? 0 : $quiet - $probe;
  my $left = seconds_left($more);
  return 1 if $more > 0 && select(my $late = $bits, undef, undef, $left) > 0;
  # Cut short by the deadline of the call, silence says nothing about the daemon.
  return 0 if $left < $more;
  my $mark;
  syswrite $mark, "\n" if open $mark, '>', $hung;
  return 0;
}

sub load_rest {
  return if defined &run_node_shim;
  local $/;
  # A key of a hash is not tainted: this is the client's own text.
  my ($rest) = keys %{{ <DATA> => 1 }};
  eval "$rest; 1" or refuse_broken();
}

# The rest says how to refuse; without it, as before a tool, and without a proof: the line knows better which event it is.
sub refuse_broken {
  print STDERR "Tool denied: Belay: its hook client is broken; a person can run `$command doctor`\n";
  exit 2;
}

__END__
# Events at which a failure must not hold the agent up: exit code 2 would keep it from stopping, or a person from asking. Every other
# event may be a tool that is about to run.
sub refuse {
  my ($why) = @_;
  my $is_gate = $option{event} !~ /stop|end|start|post|after|notif|comp|idle|result|prompt|agent|session|task|model|denied/i;
  print STDERR $is_gate ? "Tool denied: Belay: $why, and nothing else could judge the call; a person can run `$command doctor`\n" : "Belay: $why; a person can run `$command doctor`\n";
  exit($is_gate ? $proof + 2 : 1);
}

sub quote_all {
  my ($text) = @_;
  $text =~ s/([\x00-\x1f"\\])/sprintf('\\u%04x', ord $1)/ge;
  return "\"$text\"";
}

sub unquote {
  my ($text) = @_;
  my %meant = (b => "\b", f => "\f", n => "\n", r => "\r", t => "\t", '"' => '"', '\\' => '\\', '/' => '/');
  $text =~ s{\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))}{
    my $code = defined $1 ? 0x10000 + ((hex($1) - 0xD800) << 10) + (hex($2) - 0xDC00) : defined $3 ? hex $3 : undef;
    my $piece = defined $code ? chr $code : $meant{$4};
    utf8::encode($piece) if defined $code;
    $piece }gex;
  return $text;
}

# The JSON string at the current position of $_[0], still escaped; undef when there is none. A loop, because perl caps repetition.
sub take_string {
  return undef unless $_[0] =~ /\G"/gc;
  my $start = pos $_[0];
  1 while $_[0] =~ /\G(?:[^"\\]+|\\.)/gc;
  my $length = pos($_[0]) - $start;
  return $_[0] =~ /\G"/gc ? substr($_[0], $start, $length) : undef;
}

sub print_answer {
  my ($line) = @_;
  return unless $line =~ /\G *\{"exit":(\d{1,3}),"stdout":/gc;
  my $code = $1;
  my $out = take_string($line);
  return unless defined $out && $line =~ /\G,"stderr":/gc;
  my $err = take_string($line);
  return unless defined $err && $line =~ /\G\}$/gc && $code + $proof < 256;
  print STDOUT unquote($out) or refuse('the answer cannot be printed');
  print STDERR unquote($err);
  close STDOUT or refuse('the answer cannot be printed');
  exit $proof + $code;
}

# As in shim.c: the environment of the person who installed this, the home it was made for, and what is handed on of the call.
sub clean_environment {
  my %kept = map { $_ => $ENV{$_} } passed_on(), grep { /^(?:HOOK_.+|.*_API_KEY|BELAY_AGENT_SECRET|BELAY_NO_AUTOSTART)$/s } keys %ENV;
  %ENV = (%kept, (map { split /=/, $_, 2 } split /\n/, '@ENVIRONMENT@'), BELAY_HOME => $home);
}

# What perl takes for tainted may stand in a command: it goes there as it is, and no shell reads it.
sub as_it_is {
  return map { (keys %{{ $_ => 1 }})[0] } @_;
}

# '--direct' when the daemon was asked in vain. It is waited for, and ended where it takes too long: should it crash or hang, the agent would
# run the tool. Limits as in shim.c.
sub run_node_shim {
  my @how = @_;
  my $node = built_in_or('@NODE@', 'BELAY_SHIM_NODE');
  my $script = built_in_or('@SCRIPT@', 'BELAY_SHIM_SCRIPT');
  refuse('the daemon does not answer and this client has no fallback') if $script eq '';
  open(my $scratch, '+>', undef) or refuse('there is no room for the payload');
  binmode $scratch;
  # Where no file may grow (ulimit -f) that is an error like any other.
  $SIG{XFSZ} = 'IGNORE';
  print $scratch $payload or refuse('there is no room for the payload');
  seek($scratch, 0, 0) or refuse('there is no room for the payload');
  clean_environment() if $home ne '';
  $SIG{PIPE} = 'DEFAULT';
  my $child = fork();
  refuse('the daemon does not answer and its fallback cannot be started') unless defined $child;
  if ($child == 0) {
    require POSIX;
    POSIX::dup2(fileno($scratch), 0);
    my @command = as_it_is($node, $script, 'hook', '--agent', $option{agent}, '--event', $option{event}, '--event-id', $event_id, '--proof', 90, @how);
    exec { $command[0] } @command or POSIX::_exit(127);
  }
  my $more = $limit * 0.8 < 10 ? 10 : $limit * 0.8 > 18 ? 18 : $limit * 0.8;
  $SIG{ALRM} = sub { kill 'KILL', $child };
  alarm int($begun + $limit + $more - time) || 1;
  waitpid($child, 0);
  exit(($? >> 8) - 90 + $proof) if $? == 90 << 8 || $? == 92 << 8;
  refuse('the daemon does not answer and its fallback failed');
}
